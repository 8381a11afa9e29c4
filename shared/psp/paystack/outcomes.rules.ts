import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { type PspOutcome, PspOutcomeUnknown, type RefundOutcome } from '#shared/ports/psp.port.ts';
import { outcomeOfReason } from '#shared/psp/kit/declines.ts';
import type { Money } from '#shared/psp/kit/money.ts';
import { toDecline } from '#shared/psp/paystack/declines.catalog.ts';
import { toOurMoney, unitsIn } from '#shared/psp/paystack/money.rules.ts';
import { reportOf } from '#shared/psp/paystack/report.rules.ts';
import { Page, type Refund, Transaction } from '#shared/psp/paystack/schema.ts';

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
 * Only explicit success or failure counts. Any other status, including future ones, is still processing. `reversed` was
 * paid and is fully refunded: its refunds are read by themselves.
 */
export const toOutcome = (transaction: Transaction, reference: string): PspOutcome => ({
  ...verdictOf(transaction, reference),
  ...reportOf(transaction),
});

function verdictOf(transaction: Transaction, reference: string): PspOutcome {
  switch (transaction.status) {
    case 'success':
    case 'reversed':
      return { kind: 'succeeded', reference, ...paidMoney(transaction) };
    case 'failed':
      return outcomeOfReason(reference, toDecline(transaction));
    default: {
      const action = toNextAction(transaction);
      const expires_at = isoTime(transaction.account_expires_at);
      return action
        ? { kind: 'requires_action', reference, action, ...(expires_at && { expires_at }) }
        : { kind: 'processing', reference };
    }
  }
}

/** Whether the account lets the customer bear the fees: Paystack adds exactly its fee to what was asked for. */
export function hasFeeOnTop({ amount, requested_amount, fees }: Transaction): boolean {
  const [taken, requested, fee] = [amount, requested_amount, fees].map(unitsIn);
  return requested !== undefined && fee !== undefined && fee > 0 && taken === requested + fee;
}

/** What was paid for the payment itself, without fees on top. Any other difference stays, so that it is noticed. */
export function paidMoney(transaction: Transaction): Money {
  const { amount, requested_amount, currency } = transaction;
  return toOurMoney(hasFeeOnTop(transaction) ? requested_amount : amount, currency);
}

const isoTime = (value: unknown): string | undefined => {
  const at = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

/** A page expires by the account's own limit, which the response does not contain. */
export function toPageOutcome(value: unknown, reference: string): PspOutcome {
  const page = Page.safeParse(value);
  if (!page.success || page.data.reference !== reference)
    throw new PspOutcomeUnknown("Paystack's page is not understood.");
  return {
    kind: 'requires_action',
    reference,
    action: { type: 'redirect', url: page.data.authorization_url, method: 'GET' },
  };
}

/** `needs-attention` waits for the customer's bank account details, and may still be processed. */
export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (status === 'processed') return { kind: 'succeeded', reference };
  if (status === 'failed') return { kind: 'failed', reference, decline: refundDecline('refund_declined') };
  return { kind: 'accepted', reference };
}

const INPUT_FIELDS = {
  send_pin: 'pin',
  send_otp: 'otp',
  send_phone: 'phone',
  send_birthday: 'birthday',
  send_address: 'address',
} as const;

const isField = (status: string): status is keyof typeof INPUT_FIELDS => Object.hasOwn(INPUT_FIELDS, status);

/** Details to pay with elsewhere. Paystack's sentences about them are left out. */
const DISPLAY_FIELDS = ['ussd_code', 'qr_code', 'qr_image', 'account_name', 'account_number', 'account_expires_at'];

/** The customer's next action; undefined if the charge waits for none. */
function toNextAction(step: Transaction): NextAction | undefined {
  const { status = '', url, paused, authorization_url } = step;
  if (paused === true && authorization_url) return redirect(authorization_url);
  if (isField(status)) return { type: 'collect', field: INPUT_FIELDS[status] };
  if (status === 'open_url') return url ? redirect(url) : undefined;
  if (status !== 'pay_offline' && status !== 'pending_bank_transfer') return undefined;
  const displayed = Object.entries({ ...step, bank_name: nameOf(step.bank), qr_image: step.qr_image ?? url }).filter(
    (entry): entry is [string, string] =>
      (DISPLAY_FIELDS.includes(entry[0]) || entry[0] === 'bank_name') && typeof entry[1] === 'string',
  );
  return displayed.length === 0
    ? { type: 'await' }
    : { ...Object.fromEntries(displayed), type: 'display', kind: status };
}

const redirect = (url: string): NextAction => ({ type: 'redirect', url, method: 'GET' });

const nameOf = (bank: unknown): unknown =>
  typeof bank === 'object' && bank !== null && 'name' in bank ? bank.name : undefined;
