import { readdirSync } from 'node:fs';
import type { ProviderSimulator } from '#lib/simulators/frame/provider.port.ts';

/** Found by its file: `<provider>.simulator.ts` exports `<provider>Simulator`. */
async function load(provider: string): Promise<ProviderSimulator> {
  const module: Readonly<Record<string, ProviderSimulator>> = await import(
    `#lib/local/simulators/${provider}.simulator.ts`
  );
  const simulator = module[`${provider}Simulator`];
  if (simulator?.provider !== provider) throw new Error(`${provider}.simulator.ts exports no ${provider}Simulator.`);
  return simulator;
}

const names = readdirSync(new URL('.', import.meta.url)).flatMap(
  (file) => /^(\w+)\.simulator\.ts$/.exec(file)?.slice(1) ?? [],
);

/** The simulators of this machine. A new one is a file beside the others. */
export const SIMULATORS: readonly ProviderSimulator[] = await Promise.all(names.sort().map(load));
