import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { readAs } from '#shared/psp/kit/reply.ts';
import { toDecline } from '#shared/psp/paystack/decline.rules.ts';
import { ourUnits } from '#shared/psp/paystack/money.rules.ts';
import { toNextAction } from '#shared/psp/paystack/next-action.rules.ts';
import { Page, Refund, Transaction } from '#shared/psp/paystack/objects.schema.ts';

export const read = readAs('Paystack');

/** The requested transaction. One with another reference says nothing about ours. */
export function readTransaction(value: unknown, reference: string): Transaction {
  const parsed = Transaction.safeParse(value);
  if (!parsed.success || (parsed.data.reference ?? reference) !== reference)
    throw new PspOutcomeUnknown("Paystack's transaction is not understood.");
  if (parsed.data.status === undefined && parsed.data.paused !== true)
    throw new PspOutcomeUnknown("Paystack's transaction has no status.");
  return parsed.data;
}

/**
 * Only explicit success or failure counts; any other status, including future ones, is still processing. `reversed` is
 * fully refunded: nothing is taken any more, and nothing was declined.
 */
export function toOutcome(transaction: Transaction, reference: string): PspOutcome {
  switch (transaction.status) {
    case 'success':
      return { kind: 'succeeded', reference, ...ourUnits(transaction.amount, transaction.currency) };
    case 'failed':
      return { kind: 'declined', reference, decline: toDecline(transaction) };
    case 'reversed':
      return { kind: 'canceled', reference };
    default: {
      const action = toNextAction(transaction);
      const expires_at = instant(transaction.account_expires_at);
      return action
        ? { kind: 'requires_action', reference, action, ...(expires_at && { expires_at }) }
        : { kind: 'processing', reference };
    }
  }
}

const instant = (value: unknown): string | undefined => {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** A page expires by the account's own limit, which the answer does not give. */
export function toPage(value: unknown, reference: string): PspOutcome {
  const page = Page.safeParse(value);
  if (!page.success || page.data.reference !== reference)
    throw new PspOutcomeUnknown("Paystack's page is not understood.");
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url: page.data.authorization_url, method: 'GET' },
  };
}

export const readRefund = (value: unknown): Refund => read(Refund, 'refund', value);

/** `needs-attention` waits for the customer's bank account details, and may still be processed. */
export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (status === 'processed') return { kind: 'succeeded', reference };
  if (status === 'failed') return { kind: 'failed', reference, decline: refundDecline('refund_declined') };
  return { kind: 'accepted', reference };
}
