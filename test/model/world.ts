import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { receiveEvents } from '#test/model/receive-events.ts';
import { verifyTotals } from '#test/model/totals.ts';
import { aConnection, anOrganization, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';

/** The providers of a shop's connections, in the order of routing. */
export type Setup = readonly [Provider, ...Provider[]];

export type ModelShop = { readonly org_id: string; readonly key: string; readonly providers: Setup };

/** A host for many runs, with a shop for each set-up. */
export type World = {
  readonly host: TestHost;
  readonly shopOf: (providers: Setup) => Promise<ModelShop>;
  readonly since: Date;
  /** Shops that were used. */
  readonly opened: () => readonly Promise<ModelShop>[];
  runs: number;
};

/**
 * A host slows down with its data, so it is replaced after some runs. Its clock must not reach the year 2100 either.
 */
const RUNS_OF_A_WORLD = 200;

let current: Promise<World> | undefined;

export async function theWorld(): Promise<World> {
  const world = await current;
  if (world && world.runs < RUNS_OF_A_WORLD) return world;
  if (world) await verifyWorld();
  await endWorld();
  current = newWorld();
  return current;
}

/** After a failed run the state of the world is unknown: the next run starts in another. */
export async function endWorld(): Promise<void> {
  const ended = await current;
  current = undefined;
  await ended?.host.close();
}

/** What only shows over many runs: statistics of each shop. */
export async function verifyWorld(): Promise<void> {
  const world = await current;
  if (!world) return;
  for (const shop of await Promise.all(world.opened())) await verifyTotals(world.host, shop, world.since);
}

async function newWorld(): Promise<World> {
  const host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
  const shops = new Map<string, Promise<ModelShop>>();
  return {
    host,
    since: host.clock.now(),
    runs: 0,
    opened: () => [...shops.values()],
    shopOf: (providers) => {
      const name = providers.join();
      const shop = shops.get(name) ?? openShop(host, providers);
      shops.set(name, shop);
      return shop;
    },
  };
}

async function openShop(host: TestHost, providers: Setup): Promise<ModelShop> {
  const org = await anOrganization(host);
  for (const [n, provider] of providers.entries())
    await aConnection(host, org, { id: `${'abc'[n]}-${provider}`, provider });
  await receiveEvents(host, org);
  return { ...org, providers };
}
