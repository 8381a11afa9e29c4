import type { CreateSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import { periodStart } from '#shared/domain/billing/billing-calendar.rules.ts';
import {
  announceSubscription,
  MAX_YEARS_AHEAD,
  nextBillingAt,
  type Subscription,
} from '#shared/domain/billing/subscription.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { renewalMessage } from '#shared/services/billing/renewal-message.schema.ts';
import { namedMethod, sealSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';

const DEFAULT_METHOD = 'card';

/** A client's clock may be behind ours by this much. */
const MAX_CLOCK_SKEW = 5 * MINUTE;

type Needs = Pick<Deps, 'subscriptions' | 'paymentMethods' | 'vault' | 'queue' | 'clock' | 'log' | 'config'>;

/**
 * A repeat of the operation returns the same subscription. A first period that starts now is charged at once, by the
 * renewals worker.
 */
export async function createSubscription(
  input: CreateSubscriptionBody,
  caller: Caller,
  deps: Needs,
): Promise<Subscription> {
  const { at } = caller.operation;
  assertStartInRange(input.start_at, at);
  const { method, ...saved } = await namedMethod(input, caller.orgId, deps);
  const draft = draftSubscription({ ...input, ...(method && { payment_method: method }) }, caller, deps);
  const sealed = { ...draft, ...saved, sealed_method: await sealSubscriptionMethod(method, draft, deps) };
  const subscription = await deps.subscriptions.create(announceSubscription(sealed, 'subscription.created', at));
  await enqueueIfDue(subscription, deps);
  return subscription;
}

function assertStartInRange(start: string | undefined, at: Date): void {
  if (start === undefined) return;
  const invalid = (message: string) => invalidFields([{ path: 'start_at', message }]);
  if (start < plus(at, -MAX_CLOCK_SKEW).toISOString()) throw invalid('Must not be in the past.');
  if (start > periodStart(at.toISOString(), 'yearly', MAX_YEARS_AHEAD))
    throw invalid(`Must be within ${MAX_YEARS_AHEAD} years from now.`);
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
    method: input.method ?? payment_method?.type ?? DEFAULT_METHOD,
    interval,
    status: 'active',
    start_at,
    next_renewal_at: start_at > created_at ? start_at : periodStart(start_at, interval, 1),
    cancel_at_period_end: false,
    canceled_at: null,
    metadata: input.metadata ?? {},
    created_at,
    updated_at: created_at,
    bills_at: start_at,
    ...INITIAL_STATE,
  };
}

const INITIAL_STATE = {
  version: 1,
  sealed_method: null,
  method_version: 1,
  next_period: 0,
  invoices: 0,
  outbox: [],
  announced: 0,
} as const satisfies Partial<Subscription>;

/** Saves waiting for the due sweep, which runs every minute and also finds what a lost message would have started. */
async function enqueueIfDue(subscription: Subscription, { queue, clock, log }: Needs): Promise<void> {
  const due = nextBillingAt(subscription);
  if (due === undefined || due > clock.now().toISOString()) return;
  try {
    await queue.send('renewals', [renewalMessage(subscription)]);
  } catch (error) {
    log.warn('renewal_not_sent', { org_id: subscription.org_id, subscription_id: subscription.id, error });
  }
}
