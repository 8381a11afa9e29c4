import type { PspAdapter, PspFacts, PspProvider } from '#shared/ports/psp.port.ts';

type AdapterModule = Readonly<Record<string, PspAdapter>>;

/** A PSP whose adapter is the export of its name in a module that `load` imports. */
export const lazyPsp = (facts: PspFacts, load: () => Promise<AdapterModule>): PspProvider => ({
  ...facts,
  load: async () => {
    const adapter = (await load())[facts.provider];
    if (!adapter) throw new Error(`The module of ${facts.provider} exports no adapter of this name.`);
    return adapter;
  },
});
