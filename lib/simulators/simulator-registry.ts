import { readdirSync } from 'node:fs';
import type { ProviderSimulator } from '#lib/simulators/kit/provider-simulator.port.ts';

/** Each folder but `kit` is a provider; its `server.ts` exports `<provider>Simulator`. */
async function load(provider: string): Promise<ProviderSimulator> {
  const module: Readonly<Record<string, ProviderSimulator>> = await import(`#lib/simulators/${provider}/server.ts`);
  const simulator = module[`${provider}Simulator`];
  if (simulator?.provider !== provider) throw new Error(`${provider}/server.ts exports no ${provider}Simulator.`);
  return simulator;
}

const providers = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'kit')
  .map(({ name }) => name);

/** All simulators. Adding one is adding its folder. */
export const SIMULATORS: readonly ProviderSimulator[] = await Promise.all(providers.sort().map(load));
