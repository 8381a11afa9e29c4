import { setTimeout as pause } from 'node:timers/promises';
import { periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { DAY, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { sealSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';
import type { WatchedHost } from '#test/bench/renewals-host.ts';
import type { TestHost } from '#test/support/host.ts';
import { aSubscription } from '#test/support/subscription.builder.ts';

export const AMOUNT = 1_990;
const AT_ONCE = 500;
const METHOD = { type: 'card', tokens: { stripe: 'pm_card_visa' } };

/** An active subscription whose second week starts at that time. */
function renewingAt(due: string, org_id: string, created: Date, n: number): Subscription {
  const start_at = plus(due, -7 * DAY).toISOString();
  if (periodStart(start_at, 'weekly', 1) !== due) throw new Error(`A week from ${start_at} is not ${due}.`);
  return aSubscription({
    id: newId('subscription', created),
    org_id,
    customer_id: `customer-${n}`,
    amount: AMOUNT,
    interval: 'weekly',
    start_at,
    created_at: start_at,
    updated_at: start_at,
    next_renewal_at: due,
    bills_at: due,
  });
}

/**
 * So many subscriptions of these organizations in turn, created through the repository, each with a payment method
 * that can be decrypted.
 */
export async function subscribeAll(
  { host: { deps } }: WatchedHost,
  orgs: readonly string[],
  count: number,
  due: Date,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const create = async (n: number) => {
    const draft = renewingAt(due.toISOString(), orgs[n % orgs.length] ?? '', plus(deps.clock.now(), n % SECOND), n);
    await deps.subscriptions.create({ ...draft, sealed_method: await sealSubscriptionMethod(METHOD, draft, deps) });
    ids.add(draft.id);
  };
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => create(from + n)));
  return ids;
}

/** The start of a minute a day ahead. */
export const aDayAhead = ({ clock }: TestHost): Date =>
  new Date(Math.ceil(plus(clock.now(), DAY).getTime() / MINUTE) * MINUTE);

/** Moves the clock to that time at once; it continues from there, and the schedules run as usual. */
export async function comes({ clock }: TestHost, time: Date): Promise<void> {
  await clock.stand(time);
  await clock.run();
}

const LOOK_MS = 500;

/** Until so many invoices are paid in total and no work is left; `stuck` if nothing has moved for too long. */
export async function untilBilled(
  watched: WatchedHost,
  count: number,
  mostStillMs: number,
  stop?: AbortSignal,
): Promise<'done' | 'stuck' | 'stopped'> {
  const { host, paidAt, eventsWritten, sent } = watched;
  const moved = () => `${paidAt.size} ${eventsWritten()} ${[...sent.values()].join()}`;
  const isBusy = async () =>
    paidAt.size < count || host.queue.countInFlight() > 0 || (await host.queue.nextVisibleAt()) !== undefined;
  for (let [before, since] = [moved(), performance.now()]; performance.now() - since < mostStillMs; ) {
    // A relay with a large backlog takes longer than the host waits for it.
    if (!(await isBusy()) && (await Promise.race([isAtRest(host), aborted(stop)]))) return 'done';
    if (stop?.aborted) return 'stopped';
    await pause(LOOK_MS);
    if (moved() !== before) [before, since] = [moved(), performance.now()];
  }
  return 'stuck';
}

const aborted = (stop: AbortSignal | undefined): Promise<false> =>
  new Promise((resolve) => stop?.addEventListener('abort', () => resolve(false)));

export const isAtRest = (host: TestHost): Promise<boolean> =>
  host.drain().then(
    () => true,
    () => false,
  );
