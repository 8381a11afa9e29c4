/** A PSP's name: a line of the registry (`shared/psp/registry.ts`), which input is validated against. */
export type Provider = string;
