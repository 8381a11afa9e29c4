import { setTimeout as pause } from 'node:timers/promises';
import { announceSubscription } from '#shared/domain/billing/subscription.model.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { anOrganization, type Body, type TestHost } from '#test/support/host.ts';
import { aSubscription } from '#test/support/subscription.builder.ts';

/** An organization that sends all its events to this address. */
export async function aListener(host: TestHost, url: string): Promise<string> {
  const { org_id, key } = await anOrganization(host);
  const body = JSON.stringify({ url, events: ['*'] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': org_id };
  const reply = await fetch(`${host.info.api}/v1/webhooks/config`, { method: 'POST', headers, body });
  if (reply.status !== 200)
    throw new Error(`Configuring a receiver was answered ${reply.status}: ${((await reply.json()) as Body).message}`);
  return org_id;
}

/** Creates a subscription, which announces an event in the same write. Returns its id once it is stored. */
export async function change({ deps }: TestHost, org_id: string): Promise<string> {
  const at = deps.clock.now();
  const [now, later] = [at.toISOString(), plus(at, 30 * DAY).toISOString()];
  const id = newId('subscription', at);
  const made = aSubscription({
    id,
    org_id,
    start_at: now,
    created_at: now,
    updated_at: now,
    next_renewal_at: later,
    bills_at: later,
  });
  await deps.subscriptions.create(announceSubscription(made, 'subscription.created', at));
  return id;
}

const AT_ONCE = 50;

/** One for each of these organizations, as fast as they can be stored. */
export async function changeAll(host: TestHost, orgs: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < orgs.length; from += AT_ONCE)
    ids.push(...(await Promise.all(orgs.slice(from, from + AT_ONCE).map((org) => change(host, org)))));
  return ids;
}

/** Changes at a steady rate, and the time of each from being stored to being received, in ms. */
export async function paced(
  host: TestHost,
  org_id: string,
  arrived: ReadonlyMap<string, number>,
  { seconds, aSecond }: Pace,
): Promise<readonly number[]> {
  const begun = performance.now();
  const stored: Promise<readonly [string, number]>[] = [];
  for (let n = 0; n < seconds * aSecond; n += 1) {
    await pause(Math.max(0, begun + (n * 1_000) / aSecond - performance.now()));
    stored.push(change(host, org_id).then((id) => [id, performance.now()] as const));
  }
  const changes = await Promise.all(stored);
  await until(() => changes.every(([id]) => arrived.has(id)), 'the measured organization’s events');
  return changes.map(([id, at]) => (arrived.get(id) ?? 0) - at);
}

type Pace = { readonly seconds: number; readonly aSecond: number };

const LOOK_MS = 20;
const MOST_MS = 180_000;

export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const end = performance.now() + MOST_MS; !(await isSo()); await pause(LOOK_MS)) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}.`);
  }
}
