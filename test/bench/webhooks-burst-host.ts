import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A host in a process of its own, of the checkout in this folder, that makes bursts of events on demand. It imports that
 * checkout's modules, so that two releases can be compared in one run.
 */
const [checkout = '', receiver = ''] = process.argv.slice(2);

export type BurstDone = {
  /** When each event was about to be written, by its resource, in ms of the system's clock. */
  readonly begun: readonly (readonly [id: string, at: number])[];
};
export type CpuSpent = { readonly processMs: number };
export type ToBurstHost = { readonly burst: number } | 'cpu' | 'end';
export type FromBurstHost = 'ready' | BurstDone | CpuSpent;

const AT_ONCE = 50;
const WARM_UP = 300;

const load = <T>(path: string): Promise<T> => import(pathToFileURL(join(checkout, path)).href);
const { startHost } = await load<typeof import('#test/support/host.ts')>('test/support/host.ts');
const { aListener, change } = await load<typeof import('#test/bench/webhooks-traffic.ts')>(
  'test/bench/webhooks-traffic.ts',
);

const dataDir = mkdtempSync(join(tmpdir(), 'payfork-burst-'));
const log = { info: () => undefined, warn: console.error, error: console.error };
const host = await startHost({ dataDir, store: 'sqlite', log });
const org = await aListener(host, receiver);
const tell = (message: FromBurstHost) => process.send?.(message);
const nowMs = () => performance.timeOrigin + performance.now();

/** So many writers at once, each with its next event as soon as the last one is stored. */
async function burst(count: number): Promise<BurstDone> {
  const begun: [string, number][] = [];
  let left = count;
  const writer = async () => {
    while (left > 0) {
      left -= 1;
      const at = nowMs();
      begun.push([await change(host, org), at]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, writer));
  return { begun };
}

process.on('message', async (message: ToBurstHost) => {
  if (message === 'cpu') {
    const { user, system } = process.cpuUsage();
    tell({ processMs: (user + system) / 1_000 });
  } else if (message === 'end') {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
    process.disconnect();
  } else tell(await burst(message.burst));
});

await burst(WARM_UP);
await host.drain();
tell('ready');
