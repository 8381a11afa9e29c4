import type { MovedMoney } from '#shared/domain/accounts/agent.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A function has the repositories of its own operations. */
export type AmountDeps = Partial<Pick<Deps, 'payments' | 'invoices' | 'disputes' | 'subscriptions'>>;

export type AgentInput = {
  readonly id?: string;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  readonly max_payments?: number | undefined;
};

type AmountOf = (input: AgentInput, orgId: string, deps: AmountDeps) => Promise<MovedMoney | null> | MovedMoney | null;

/**
 * How much money each operation moves; null where nobody knows it beforehand. One that is missing here is one of those,
 * so that a person is asked. So it is for subscriptions, which charge their amount until somebody ends them.
 */
const AMOUNTS: Readonly<Record<string, AmountOf>> = {
  'POST /v1/payments': asSent,
  'POST /v1/payments/intents': asSent,
  'POST /v1/payments/{id}/confirm': ofPayment((payment) => payment.amount),
  'POST /v1/payments/{id}/retry': ofPayment((payment) => payment.amount),
  'POST /v1/payments/{id}/capture': ofPayment(({ authorized_amount, amount }) => authorized_amount ?? amount),
  'POST /v1/payments/{id}/refund': ofPayment(mostRefundable),
  'POST /v1/payment-links': ofLink,
  'POST /v1/subscriptions': (input) => eachPeriod(asSent(input)),
  'PATCH /v1/subscriptions/{id}': ofSubscription,
  'POST /v1/subscriptions/{id}/resume': ofSubscription,
  'POST /v1/invoices/{id}/retry': async ({ id = '' }, orgId, { invoices }) =>
    invoices ? moneyOf(await invoices.get(orgId, id), 'There is no invoice with this id.') : null,
  'POST /v1/disputes/{id}/accept': async ({ id = '' }, orgId, { disputes }) =>
    disputes ? moneyOf(await disputes.get(orgId, id), 'There is no dispute with this id.') : null,
};

/** Nothing is cached: the amount decides whether a person is asked. */
export const amountOf = async (
  operation: string,
  input: AgentInput,
  orgId: string,
  deps: AmountDeps,
): Promise<MovedMoney | null> => (await AMOUNTS[operation]?.(input, orgId, deps)) ?? null;

function asSent({ amount, currency }: AgentInput): MovedMoney | null {
  return amount === undefined || currency === undefined ? null : { amount, currency };
}

/** With all payments that it takes. Nobody can count as much as two large numbers make. */
function ofLink({ amount = 0, currency, max_payments = 1 }: AgentInput): MovedMoney | null {
  const all = amount * max_payments;
  return Number.isSafeInteger(all) ? asSent({ amount: all, currency }) : null;
}

const eachPeriod = (moved: MovedMoney | null): MovedMoney | null => moved && { ...moved, asks: true };

/** What it charges for each period from now on. */
async function ofSubscription(
  { id = '', amount }: AgentInput,
  orgId: string,
  { subscriptions }: AmountDeps,
): Promise<MovedMoney | null> {
  if (!subscriptions) return null;
  const found = moneyOf(await subscriptions.get(orgId, id), 'There is no subscription with this id.');
  return eachPeriod({ ...found, amount: amount ?? found.amount });
}

/** Without what is not paid back yet: rather ask about too much. The rules of refunds would make bundles larger. */
function mostRefundable({ amount, captured_amount, amount_refunded }: Payment): number {
  return (captured_amount ?? amount) - amount_refunded;
}

/** In the payment's currency, which the request does not name. Without an amount the operation takes all there is. */
function ofPayment(all: (payment: Payment) => number): AmountOf {
  return async ({ id = '', amount }, orgId, { payments }) => {
    if (!payments) return null;
    const payment = orNotFound(await payments.get(orgId, id), 'There is no payment with this id.');
    return { amount: amount ?? all(payment), currency: payment.currency };
  };
}

const moneyOf = (record: MovedMoney | undefined, message: string): MovedMoney => {
  const { amount, currency } = orNotFound(record, message);
  return { amount, currency };
};
