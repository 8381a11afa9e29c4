import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import type { PspOutcome, RefundOutcome } from '#shared/ports/psp.port.ts';
import { toDecline } from '#shared/psp/flutterwave/declines.catalog.ts';
import { toOurMoney } from '#shared/psp/flutterwave/money.rules.ts';
import { reportOf } from '#shared/psp/flutterwave/report.rules.ts';
import {
  type Authorization,
  OurKeys,
  type Refund,
  type Transaction,
  WithAuthorization,
} from '#shared/psp/flutterwave/schema.ts';
import { outcomeOfReason } from '#shared/psp/kit/declines.ts';

/** Whether a transaction is the one meant: only our own references in it prove that. */
export const isOurs = (
  { tx_ref, meta }: Transaction,
  { attemptId, paymentId }: { readonly attemptId: string; readonly paymentId: string },
): boolean => tx_ref === attemptId || OurKeys.safeParse(meta).data?.payment_id === paymentId;

/**
 * Only `successful` and `failed` are final; any other status, including future ones, is still processing. So is a
 * failure whose reason says that the bank may have approved.
 */
export const toOutcome = (transaction: Transaction, action?: NextAction): PspOutcome => ({
  ...verdictOf(transaction, action),
  ...reportOf(transaction),
});

function verdictOf(transaction: Transaction, action: NextAction | undefined): PspOutcome {
  const { id: reference, status, processor_response } = transaction;
  if (status === 'successful') return { kind: 'succeeded', reference, ...paidMoney(transaction) };
  if (status === 'failed') return outcomeOfReason(reference, toDecline(processor_response));
  return action ? { kind: 'requires_action', reference, action } : { kind: 'processing', reference };
}

/**
 * `charged_amount` is more than `amount` where the customer also pays the fee, which is not part of the payment. If it
 * is less, that is what was paid. Sums with a fee come with the noise of floating point, so only a smaller one is read.
 */
function paidMoney({ amount, charged_amount, currency }: Transaction) {
  const requested = toOurMoney(amount, currency);
  if (charged_amount === null || charged_amount === undefined || Number(charged_amount) >= Number(amount))
    return requested;
  const charged = toOurMoney(charged_amount, currency);
  return charged.amount < requested.amount ? charged : requested;
}

/** `completed-<how>` says how the money was sent. UNVERIFIED: `failed`. Any other status is still processing. */
export function toRefundOutcome({ id: reference, status }: Refund): RefundOutcome {
  if (/^(completed|successful)\b/.test(status)) return { kind: 'succeeded', reference };
  if (!/^failed\b/.test(status)) return { kind: 'accepted', reference };
  return { kind: 'failed', reference, decline: refundDecline('refund_declined') };
}

const webUrl = (text: string | null | undefined): string | undefined =>
  text && /^https?:\/\/\S+$/.test(text) ? text : undefined;

const authorizationIn = (meta: unknown): Authorization | undefined =>
  WithAuthorization.safeParse(meta).data?.authorization;

/**
 * The customer's next action. It is beside the transaction, in it, or only an address. `pin` and `avs_noauth` require
 * the whole card again, which this service never has: such a charge stays open.
 */
export function toNextAction(meta: unknown, transaction?: Transaction): NextAction | undefined {
  const authorization = authorizationIn(meta) ?? authorizationIn(transaction?.meta);
  const { mode, redirect } = authorization ?? {};
  if (mode === 'otp') return { type: 'collect', field: 'otp' };
  if (mode === 'banktransfer' && authorization) return display(authorization);
  const url = webUrl(redirect) ?? webUrl(transaction?.auth_url);
  return url === undefined ? undefined : { type: 'redirect', url, method: 'GET' };
}

function display({ mode, redirect: _, ...details }: Authorization): NextAction {
  const displayed = Object.entries(details).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
  return { ...Object.fromEntries(displayed), type: 'display', kind: mode ?? '' };
}
