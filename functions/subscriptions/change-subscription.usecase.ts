import { getSubscription } from '#functions/subscriptions/get-subscriptions.usecase.ts';
import type { CancelSubscriptionBody, UpdateSubscriptionBody } from '#functions/subscriptions/subscriptions.schema.ts';
import {
  cancelAtPeriodEnd,
  cancelImmediately,
  keepStartedPeriods,
  pauseSubscription,
  recordUpdate,
  resumeOrUndoCancel,
} from '#shared/domain/billing/subscription.machine.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { addMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type CancelInvoiceDeps, cancelOpenInvoices } from '#shared/services/billing/cancel-invoice.service.ts';
import { namedMethod, sealSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';

type ById = { readonly id: string };
type UpdatedFields = Omit<UpdateSubscriptionBody, 'status'>;

/** Applies from the next period on: invoices of periods that have started, also of unbilled ones, keep their terms. */
export async function updateSubscription(
  { id, status, ...input }: ById & UpdateSubscriptionBody,
  caller: Caller,
  deps: Pick<Deps, 'subscriptions' | 'paymentMethods' | 'vault' | 'clock'>,
): Promise<Subscription> {
  const found = await getSubscription({ id }, caller, deps);
  const { customer_id } = found;
  const { method, ...saved } = await namedMethod({ ...input, customer_id }, caller.orgId, deps);
  const stored = { ...saved, method, sealed_method: await sealSubscriptionMethod(method, found, deps) };
  const change: SubscriptionChange = (subscription, at) => {
    assertMethodMatches(subscription, input);
    const current = changesTerms(input) ? keepStartedPeriods(subscription, at) : subscription;
    const changed = withInput(current, input, stored);
    // The status comes first, so that each event shows everything that this request changed.
    return recordUpdate(withStatus(changed, status, at) ?? changed, at);
  };
  return changeOnce(found, caller, change, deps);
}

/** A stored payment method can't be charged as another type. */
function assertMethodMatches({ method, sealed_method }: Subscription, input: UpdatedFields): void {
  if (input.method === undefined || input.method === method || input.payment_method || sealed_method === null) return;
  throw invalidFields([
    { path: 'method', message: 'The stored payment method is of another type. Send payment_method too.' },
  ]);
}

type StoredMethod = Pick<Subscription, 'sealed_method' | 'payment_method_id'> & {
  readonly method: PaymentMethodInput | undefined;
};

/** A new payment method applies to the next charge of any period, because the old one may be invalid. */
function withInput(
  subscription: Subscription,
  { payment_method: ___, ...input }: UpdatedFields,
  { method, ...stored }: StoredMethod,
): Subscription {
  if (!method) return { ...subscription, ...input };
  const { token_of: _, payment_method_id: __, ...rest } = subscription;
  return {
    ...rest,
    ...input,
    ...stored,
    method: method.type,
    method_version: subscription.method_version + 1,
  };
}

const changesTerms = ({ amount, plan_id, metadata }: UpdatedFields): boolean =>
  amount !== undefined || plan_id !== undefined || metadata !== undefined;

function withStatus(
  subscription: Subscription,
  status: UpdateSubscriptionBody['status'],
  at: Date,
): Subscription | undefined {
  if (status === 'paused') return pauseSubscription(subscription, at);
  return status === 'active' && subscription.status === 'paused' ? resumeOrUndoCancel(subscription, at) : undefined;
}

/** Immediately, together with its open invoices, or at the end of the paid period. */
export async function cancelSubscription(
  input: ById & CancelSubscriptionBody,
  caller: Caller,
  deps: CancelInvoiceDeps & Pick<Deps, 'subscriptions'>,
): Promise<Subscription> {
  const found = await getSubscription(input, caller, deps);
  if (input.at_period_end) return changeOnce(found, caller, cancelAtPeriodEnd, deps);
  const canceled = await changeOnce(found, caller, cancelImmediately, deps);
  // Also if an earlier run of this request canceled it, because that run may have crashed before this line.
  await cancelOpenInvoices(canceled, caller, deps);
  return canceled;
}

/** Resumes a paused subscription, or undoes the scheduled cancel of an active one. */
export async function resumeSubscription(
  input: ById,
  caller: Caller,
  deps: Pick<Deps, 'subscriptions' | 'clock'>,
): Promise<Subscription> {
  return changeOnce(await getSubscription(input, caller, deps), caller, resumeOrUndoCancel, deps);
}

/** Returns the changed subscription, or undefined for no change. */
type SubscriptionChange = (subscription: Subscription, at: Date) => Subscription | undefined;

/** Applies a change once per request: a repeat after a crash does not apply it again. */
function changeOnce(
  subscription: Subscription,
  caller: Caller,
  change: SubscriptionChange,
  deps: Pick<Deps, 'subscriptions' | 'clock'>,
): Promise<Subscription> {
  const marker = operationId(caller.operation, 'request');
  return deps.subscriptions.change(subscription, (current) => {
    if (hasMarker(current, marker)) return undefined;
    const changed = change(current, deps.clock.now());
    return changed && addMarker(changed, marker);
  });
}
