import type { CreateSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import { periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { announceSubscription, billsAt } from '#shared/domain/billing/subscription.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { renewalMessage } from '#shared/services/billing/renewal-message.service.ts';
import { sealSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';

const USUAL_METHOD = 'card';

/** How far a client's clock may be behind ours. */
const CLOCKS_DIFFER = 5 * MINUTE;
const MOST_YEARS_AHEAD = 5;

type Needs = Pick<Deps, 'subscriptions' | 'vault' | 'queue' | 'clock' | 'log' | 'config'>;

/**
 * The same operation makes the same subscription, also when repeated. A period that begins now is charged at once, but
 * by the worker.
 */
export async function createSubscription(
  input: CreateSubscriptionBody,
  caller: Caller,
  deps: Needs,
): Promise<Answer<Subscription>> {
  const { at } = caller.operation;
  refuseStart(input.start_at, at);
  const draft = draftSubscription(input, caller, deps);
  const sealed = { ...draft, sealed_method: await sealSubscriptionMethod(input.payment_method, draft, deps) };
  const subscription = await deps.subscriptions.create(announceSubscription(sealed, 'subscription.created', at));
  await billNow(subscription, deps);
  return new Answer(subscription, { location: `/v1/subscriptions/${subscription.id}` });
}

function refuseStart(start: string | undefined, at: Date): void {
  if (start === undefined) return;
  const refuse = (message: string) => invalidFields([{ path: 'start_at', message }]);
  if (start < plus(at, -CLOCKS_DIFFER).toISOString()) throw refuse('Must not lie in the past.');
  if (start > periodStart(at.toISOString(), 'yearly', MOST_YEARS_AHEAD))
    throw refuse(`Must lie within ${MOST_YEARS_AHEAD} years from now.`);
}

function draftSubscription(input: CreateSubscriptionBody, caller: Caller, { config }: Needs): Subscription {
  const created_at = caller.operation.at.toISOString();
  const { customer_id, plan_id, amount, currency, interval, payment_method, start_at = created_at } = input;
  return {
    id: operationId(caller.operation, 'subscription'),
    org_id: caller.orgId,
    mode: config.stage,
    customer_id,
    customer_email: input.customer_email ?? null,
    country: input.country ?? null,
    plan_id,
    amount,
    currency,
    method: input.method ?? payment_method?.type ?? USUAL_METHOD,
    interval,
    status: 'active',
    start_at,
    next_renewal_at: start_at > created_at ? start_at : periodStart(start_at, interval, 1),
    cancel_at_period_end: false,
    canceled_at: null,
    metadata: input.metadata ?? {},
    created_at,
    updated_at: created_at,
    version: 1,
    sealed_method: null,
    method_version: 1,
    next_period: 0,
    bills_at: start_at,
    invoices: 0,
    outbox: [],
    announced: 0,
  };
}

/** A hint that saves waiting for the sweep, which comes within a minute if the message is lost. */
async function billNow(subscription: Subscription, { queue, clock, log }: Needs): Promise<void> {
  const due = billsAt(subscription);
  if (due === undefined || due > clock.now().toISOString()) return;
  const message = renewalMessage(subscription);
  try {
    await queue.send('renewals', [message]);
  } catch (error) {
    log.warn('renewal_not_sent', { org_id: subscription.org_id, subscription_id: subscription.id, error });
  }
}
