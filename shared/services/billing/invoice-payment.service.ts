import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import type { Subscription } from '#shared/domain/billing/subscription.model.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { currentAttempt, failPlannedAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment, TokenConnection } from '#shared/domain/payments/payment.model.ts';
import { markBudgetExhausted } from '#shared/domain/payments/retry-budget.rules.ts';
import type { Operation } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import { openSubscriptionMethod } from '#shared/services/billing/subscription-method.service.ts';
import { type Instrument, openInstrument, sealMethod } from '#shared/services/payments/charge-order.service.ts';
import { decideRouting, draftPayment, startFirstAttempt } from '#shared/services/payments/plan-payment.service.ts';
import { type Reservation, reserveSlots } from '#shared/services/payments/retry-budget.service.ts';

type Needs = Pick<Deps, 'vault' | 'paymentMethods' | 'psp' | 'clock' | 'config'>;

/**
 * A payment at the start of a collection attempt. `attempt` is what will be sent to the PSP: undefined if no connection
 * accepts the payment, or the fraud policy or the retry budget stops it. `before`: the stored payment, if it is
 * retried.
 */
export type PlannedPayment = {
  readonly before?: Payment;
  readonly payment: Payment;
  readonly instrument: Instrument;
  readonly attempt: Attempt | undefined;
};

/** Each collection attempt is its own operation, so a run that continues it derives the same ids. */
export const collectionOperation = ({ id }: Pick<Invoice, 'id'>, number: number, at: Date): Operation => ({
  seed: `${id} ${number}`,
  at,
  resumed: false,
});

/** A new payment, routed to the first connection that can charge off-session; failed if none can. */
export async function planNewPayment(
  invoice: Invoice,
  subscription: Subscription,
  routingData: RoutingData,
  operation: Operation,
  deps: Needs,
): Promise<PlannedPayment> {
  const method = await openSubscriptionMethod(subscription, deps, routingData.connections);
  const input = { ...paymentInput(invoice, subscription), payment_method: method };
  const drafted = draftPayment(input, { orgId: invoice.org_id, idempotencyRequest: undefined }, operation, {
    mode: subscription.mode,
    intent: false,
    organization: routingData.organization,
    config: deps.config,
  });
  const draft: Payment = {
    ...drafted,
    claim: null,
    off_session: true,
    invoice_id: invoice.id,
    invoice_try: invoice.attempts + 1,
    ...tokenOwner(subscription),
  };
  const sealed = { ...draft, sealed_method: await sealMethod(method, draft, deps) };
  const decision = decideRouting(sealed, routingData, method, deps.clock.now(), deps);
  return toPlanned(startFirstAttempt(sealed, decision, operation, 'start', operation.at), method);
}

const paymentInput = ({ amount, currency, customer_id, number }: Invoice, subscription: Subscription) => ({
  amount,
  currency,
  customer_id,
  description: `Invoice ${number}`,
  method: subscription.method,
  metadata: subscription.metadata,
  ...savedMethodOf(subscription),
  ...(subscription.country !== null && { country: subscription.country }),
  ...(subscription.customer_email !== null && { customer_email: subscription.customer_email }),
});

/** Retries the invoice's payment: routed again, with the subscription's current payment method. */
export async function planPaymentRetry(
  before: Payment,
  invoice: Invoice,
  subscription: Subscription,
  routingData: RoutingData,
  operation: Operation,
  deps: Needs,
): Promise<PlannedPayment> {
  const { instrument, payable } = await withCurrentMethod(before, subscription, routingData, deps);
  const payment: Payment = { ...payable, invoice_try: invoice.attempts + 1 };
  const decision = decideRouting(payment, routingData, instrument, deps.clock.now(), deps);
  return { ...toPlanned(startFirstAttempt(payment, decision, operation, 'retry', operation.at), instrument), before };
}

const toPlanned = (payment: Payment, instrument: Instrument): PlannedPayment => ({
  payment,
  instrument,
  attempt: payment.status === 'processing' ? currentAttempt(payment) : undefined,
});

/** Reserves nothing if no attempt is sent. */
export const reserveBudget = (
  { payment, instrument, attempt }: PlannedPayment,
  deps: Pick<Deps, 'payments' | 'retryBudget' | 'clock'>,
): Promise<Reservation> =>
  reserveSlots(attempt && { payment, attemptId: attempt.id, provider: attempt.provider, instrument }, deps);

/** The retry budget is exhausted: the payment fails without an attempt, with that as its failure. */
export function failWithoutBudget(planned: PlannedPayment, at: Date): PlannedPayment {
  const failed = failPlannedAttempt(planned.payment, failureOf(declineOf('retry_budget_exhausted')), at);
  return { ...planned, payment: markBudgetExhausted(failed) ?? failed, attempt: undefined };
}

/**
 * A payment keeps its own method if the subscription's is deleted, or is of another type: a new type applies from the
 * next period on.
 */
async function withCurrentMethod(
  payment: Payment,
  subscription: Subscription,
  { connections }: RoutingData,
  deps: Needs,
) {
  if (subscription.sealed_method === null || subscription.method !== payment.method) {
    return { instrument: await openInstrument(payment, deps), payable: payment };
  }
  const method = await openSubscriptionMethod(subscription, deps, connections);
  const { token_of: _, own_method: __, payment_method_id: ___, ...rest } = payment;
  const changes = {
    sealed_method: await sealMethod(method, payment, deps),
    return_url: method.return_url ?? payment.return_url,
    ...tokenOwner(subscription),
    ...savedMethodOf(subscription),
  };
  return { instrument: method, payable: { ...rest, ...changes } };
}

const savedMethodOf = ({ payment_method_id }: Subscription): Pick<Payment, 'payment_method_id'> =>
  payment_method_id === undefined ? {} : { payment_method_id };

/** A token is only valid at the connection that its first payment went to, whatever routing prefers by now. */
const tokenOwner = ({ token_of }: Subscription): Pick<Payment, 'token_of'> =>
  token_of === undefined ? {} : { token_of };

export const connectionOf = ({ connection_id, provider }: Attempt): TokenConnection => ({ connection_id, provider });
