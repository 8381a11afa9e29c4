import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A host in a process of its own, of the checkout in this folder, with so many subscriptions that fall due on demand. It
 * imports that checkout's modules, so that two releases can be compared in one run.
 */
const [checkout = '', organizations = '20'] = process.argv.slice(2);

export type RenewalsDone = {
  readonly ms: number;
  readonly cpuMs: number;
  /** Messages that handed a renewal out. */
  readonly messages: number;
  /** Calls to the table, and to everything else, by function. */
  readonly calls: Readonly<Record<string, number>>;
};
export type ToRenewalsHost = { readonly due: number } | 'end';
export type FromRenewalsHost = 'ready' | RenewalsDone;

const WARM_UP = 100;
const STILL_MS = 150_000;

const load = <T>(path: string): Promise<T> => import(pathToFileURL(join(checkout, path)).href);
const { aDayAhead, comes, subscribeAll, untilBilled } =
  await load<typeof import('#test/bench/renewals-due.ts')>('test/bench/renewals-due.ts');
const { shops, watchedHost } = await load<typeof import('#test/bench/renewals-host.ts')>('test/bench/renewals-host.ts');

const dataDir = mkdtempSync(join(tmpdir(), 'payfork-renewals-'));
const watched = await watchedHost({ store: 'sqlite', dataDir });
const { host, paidAt, sent, meter } = watched;
meter.weigh([]);
const orgs = await shops(host, Number(organizations));
const calls = new Map<string, number>();
host.onCall(({ group, point }) => {
  const name = `${group} ${point}`;
  calls.set(name, (calls.get(name) ?? 0) + 1);
});
const tell = (message: FromRenewalsHost) => process.send?.(message);

async function renew(due: number): Promise<RenewalsDone> {
  const time = aDayAhead(host);
  await subscribeAll(watched, orgs, due, time);
  await host.drain();
  sent.clear();
  calls.clear();
  const [paidBefore, begun, cpuBefore] = [paidAt.size, performance.now(), process.cpuUsage()];
  await comes(host, time);
  const ended = await untilBilled(watched, paidBefore + due, STILL_MS);
  if (ended !== 'done') throw new Error(`Only ${paidAt.size - paidBefore} of ${due} were billed: ${ended}.`);
  const { user, system } = process.cpuUsage(cpuBefore);
  return {
    ms: performance.now() - begun,
    cpuMs: (user + system) / 1_000,
    messages: sent.get('renewals subscription') ?? 0,
    calls: Object.fromEntries(calls),
  };
}

process.on('message', async (message: ToRenewalsHost) => {
  if (message === 'end') {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
    process.disconnect();
  } else tell(await renew(message.due));
});

await renew(WARM_UP);
tell('ready');
