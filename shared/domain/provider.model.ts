/** The name of a PSP: a line of the registry (`shared/psp/registry.ts`), against which what comes from outside is checked. */
export type Provider = string;
