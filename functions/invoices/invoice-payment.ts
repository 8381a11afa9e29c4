import { type Instrument, openMethod, sealMethod } from '#functions/payments/instrument.ts';
import { departureOf, draftPayment, sendOff } from '#functions/payments/plan-payment.ts';
import { openSubscriptionMethod } from '#functions/subscriptions/sealed-method.ts';
import { currentAttempt } from '#shared/domain/attempts.rules.ts';
import type { Invoice } from '#shared/domain/invoice.model.ts';
import type { Attempt, Payment, TokenAccount } from '#shared/domain/payment.model.ts';
import type { Subscription } from '#shared/domain/subscription.model.ts';
import type { Operation } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/stores.port.ts';

type Needs = Pick<Deps, 'vault' | 'psp' | 'clock' | 'config'>;

/** A payment that is about to be tried, with the attempt that is sent; none where no connection takes it, or the fraud policy has stopped it. */
export type PlannedPayment = { readonly payment: Payment; readonly instrument: Instrument; readonly sent: Attempt | undefined };

/** Each try of an invoice is an operation of its own: who goes on with one makes the same ids. */
export const tryOperation = ({ id }: Pick<Invoice, 'id'>, number: number, at: Date): Operation => ({ seed: `${id} ${number}`, at, resumed: false });

/** A new payment for the invoice, on its way to the first connection that can charge a customer who is away; or failed, where none can. */
export async function newPayment(invoice: Invoice, subscription: Subscription, setup: Setup, operation: Operation, deps: Needs): Promise<PlannedPayment> {
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
  const drafted = draftPayment(asked, { orgId: invoice.org_id, ticket: undefined }, operation, { mode: subscription.mode, intent: false });
  const draft: Payment = { ...drafted, claim: null, off_session: true, invoice_id: invoice.id, invoice_try: invoice.attempts + 1, ...pinOf(subscription) };
  const sealed = { ...draft, sealed_method: await sealMethod(method, draft, deps) };
  const departure = departureOf(sealed, setup, method, deps);
  return planned(sendOff(sealed, departure, operation, 'start', operation.at), method);
}

/** The invoice's payment once more, routed afresh, and with what its subscription is paid with by now. */
export async function samePayment(
  before: Payment,
  invoice: Invoice,
  subscription: Subscription,
  setup: Setup,
  operation: Operation,
  deps: Needs,
): Promise<PlannedPayment> {
  const { instrument, armed } = await arm(before, subscription, deps);
  const payment: Payment = { ...armed, invoice_try: invoice.attempts + 1 };
  const departure = departureOf(payment, setup, instrument, deps);
  return planned(sendOff(payment, departure, operation, 'retry', operation.at), instrument);
}

const planned = (payment: Payment, instrument: Instrument): PlannedPayment => ({
  payment,
  instrument,
  sent: payment.status === 'processing' ? currentAttempt(payment) : undefined,
});

/** A method of another type is for the next period: a payment keeps its own. So it does when the subscription's is gone. */
async function arm(payment: Payment, subscription: Subscription, deps: Needs) {
  if (subscription.sealed_method === null || subscription.method !== payment.method) {
    return { instrument: await openMethod(payment, deps), armed: payment };
  }
  const method = await openSubscriptionMethod(subscription, deps);
  const { token_of: _, ...unpinned } = payment;
  const changes = { sealed_method: await sealMethod(method, payment, deps), return_url: method.return_url ?? payment.return_url, ...pinOf(subscription) };
  return { instrument: method, armed: { ...unpinned, ...changes } };
}

/** A bare token belongs to the account that the first payment with it went to, wherever routing would lead by now. */
const pinOf = ({ token_of }: Subscription): Pick<Payment, 'token_of'> => (token_of === undefined ? {} : { token_of });

export const accountOf = ({ connection_id, provider }: Attempt): TokenAccount => ({ connection_id, provider });
