import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { failPlanned } from '#shared/domain/payments/attempt-start.machine.ts';
import { currentAttempt } from '#shared/domain/payments/attempts.rules.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import type { Attempt, Payment, TokenAccount } from '#shared/domain/payments/payment.model.ts';
import { noteStopped } from '#shared/domain/payments/retry-budget.rules.ts';
import type { Operation } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';
import { openSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';
import { type Instrument, openMethod, sealMethod } from '#shared/services/payments/instrument.service.ts';
import { decideRouting, dispatch, draftPayment } from '#shared/services/payments/plan-payment.service.ts';
import { type Reservation, reserveSlots } from '#shared/services/payments/retry-budget.service.ts';

type Needs = Pick<Deps, 'vault' | 'psp' | 'clock' | 'config'>;

/**
 * A payment as its next try begins. `sent` is the attempt to send: undefined where no connection takes the payment, or
 * the fraud policy or the retry budget has stopped it. `before` is the stored payment, where that is tried again.
 */
export type PlannedPayment = {
  readonly before?: Payment;
  readonly payment: Payment;
  readonly instrument: Instrument;
  readonly sent: Attempt | undefined;
};

/** Each try of an invoice is an operation of its own: a run that continues it makes the same ids. */
export const tryOperation = ({ id }: Pick<Invoice, 'id'>, number: number, at: Date): Operation => ({
  seed: `${id} ${number}`,
  at,
  resumed: false,
});

/**
 * A new payment for the invoice, routed to the first connection that can charge off-session; failed, where none can.
 */
export async function newPayment(
  invoice: Invoice,
  subscription: Subscription,
  setup: Setup,
  operation: Operation,
  deps: Needs,
): Promise<PlannedPayment> {
  const method = await openSubscriptionMethod(subscription, deps);
  const asked = {
    amount: invoice.amount,
    currency: invoice.currency,
    method: subscription.method,
    customer_id: invoice.customer_id,
    description: `Invoice ${invoice.number}`,
    metadata: subscription.metadata,
    ...(subscription.country !== null && { country: subscription.country }),
    ...(subscription.customer_email !== null && { customer_email: subscription.customer_email }),
    payment_method: method,
  };
  const drafted = draftPayment(asked, { orgId: invoice.org_id, ticket: undefined }, operation, {
    mode: subscription.mode,
    intent: false,
  });
  const draft: Payment = {
    ...drafted,
    claim: null,
    off_session: true,
    invoice_id: invoice.id,
    invoice_try: invoice.attempts + 1,
    ...pinOf(subscription),
  };
  const sealed = { ...draft, sealed_method: await sealMethod(method, draft, deps) };
  const decision = decideRouting(sealed, setup, method, deps);
  return planned(dispatch(sealed, decision, operation, 'start', operation.at), method);
}

/** The invoice's payment for another try, routed afresh, with the subscription's current payment method. */
export async function samePayment(
  before: Payment,
  invoice: Invoice,
  subscription: Subscription,
  setup: Setup,
  operation: Operation,
  deps: Needs,
): Promise<PlannedPayment> {
  const { instrument, payable } = await methodForRetry(before, subscription, deps);
  const payment: Payment = { ...payable, invoice_try: invoice.attempts + 1 };
  const decision = decideRouting(payment, setup, instrument, deps);
  return { ...planned(dispatch(payment, decision, operation, 'retry', operation.at), instrument), before };
}

const planned = (payment: Payment, instrument: Instrument): PlannedPayment => ({
  payment,
  instrument,
  sent: payment.status === 'processing' ? currentAttempt(payment) : undefined,
});

/** The slots of the attempt that is sent, if any. */
export const reservePlanned = (
  { payment, instrument, sent }: PlannedPayment,
  deps: Pick<Deps, 'payments' | 'retryBudget' | 'clock'>,
): Promise<Reservation> =>
  reserveSlots(sent && { payment, attemptId: sent.id, provider: sent.provider, instrument }, deps);

/** The retry budget has no room: the payment fails without its attempt, and says why. */
export function stopPlanned(planned: PlannedPayment, at: Date): PlannedPayment {
  const failed = failPlanned(planned.payment, failureOf(declineOf('retry_budget_exhausted')), at);
  return { ...planned, payment: noteStopped(failed) ?? failed, sent: undefined };
}

/**
 * A payment keeps its own method where the subscription's is of another type, which applies from the next period on, or
 * is deleted.
 */
async function methodForRetry(payment: Payment, subscription: Subscription, deps: Needs) {
  if (subscription.sealed_method === null || subscription.method !== payment.method) {
    return { instrument: await openMethod(payment, deps), payable: payment };
  }
  const method = await openSubscriptionMethod(subscription, deps);
  const { token_of: _, own_method: __, ...unpinned } = payment;
  const changes = {
    sealed_method: await sealMethod(method, payment, deps),
    return_url: method.return_url ?? payment.return_url,
    ...pinOf(subscription),
  };
  return { instrument: method, payable: { ...unpinned, ...changes } };
}

/** A bare token belongs to the account that its first payment went to, wherever routing leads by now. */
const pinOf = ({ token_of }: Subscription): Pick<Payment, 'token_of'> => (token_of === undefined ? {} : { token_of });

export const accountOf = ({ connection_id, provider }: Attempt): TokenAccount => ({ connection_id, provider });
