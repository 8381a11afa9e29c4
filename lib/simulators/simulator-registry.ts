import { existsSync, readdirSync } from 'node:fs';
import type { ProviderSimulator } from '#lib/simulators/kit/provider-simulator.port.ts';

/** A folder with a `server.ts` is a provider, and exports `<provider>Simulator` there. */
async function load(provider: string): Promise<ProviderSimulator> {
  const module: Readonly<Record<string, ProviderSimulator>> = await import(`#lib/simulators/${provider}/server.ts`);
  const simulator = module[`${provider}Simulator`];
  if (simulator?.provider !== provider) throw new Error(`${provider}/server.ts exports no ${provider}Simulator.`);
  return simulator;
}

const providers = readdirSync(new URL('.', import.meta.url)).filter((name) =>
  existsSync(new URL(`${name}/server.ts`, import.meta.url)),
);

/** All simulators. Adding one is adding its folder. */
export const SIMULATORS: readonly ProviderSimulator[] = await Promise.all(providers.sort().map(load));
