import { isFailureCode } from '#lib/simulators/frame/behaviour.ts';
import type { PaymentStatus } from '#lib/simulators/mollie/objects.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/**
 * How Mollie words a try that came to nothing: its own reason, and what the card scheme said where it said something.
 */
export type MollieDecline = {
  readonly status: Extract<PaymentStatus, 'failed' | 'canceled' | 'expired'>;
  readonly reason?: string;
  readonly scheme?: string;
};

const own = (reason: string): MollieDecline => ({ status: 'failed', reason });
const scheme = (code: string, reason = 'card_declined'): MollieDecline => ({ status: 'failed', reason, scheme: code });

/** Our failure codes in Mollie's words. Codes that are ours alone (`no_route` …) have none. */
const DECLINES: Readonly<Partial<Record<FailureCode, MollieDecline>>> = {
  insufficient_funds: scheme('insufficient_funds', 'insufficient_funds'),
  card_declined: own('card_declined'),
  do_not_honor: scheme('do_not_honor', 'refused_by_issuer'),
  limit_exceeded: scheme('exceeds_withdrawal_amount_limit'),
  try_again_later: scheme('honor_with_id'),
  issuer_unavailable: scheme('issuer_unavailable', 'refused_by_issuer'),
  authentication_required: own('authentication_required'),
  authentication_failed: own('authentication_failed'),
  incorrect_cvc: own('invalid_cvv'),
  incorrect_pin: scheme('invalid_pin'),
  call_issuer: scheme('refer_to_card_issuer'),
  expired_card: scheme('expired_card', 'card_expired'),
  card_not_supported: own('invalid_card_type'),
  transaction_not_allowed: scheme('transaction_not_permitted_to_cardholder'),
  invalid_payment_method: own('inactive_card'),
  invalid_number: own('invalid_card_number'),
  lost_card: scheme('lost_card'),
  stolen_card: scheme('stolen_card'),
  restricted_card: scheme('restricted_card'),
  invalid_account: scheme('closed_account'),
  authorization_revoked: scheme('revocation_of_authorization'),
  fraud_suspected: scheme('suspected_fraud', 'possible_fraud'),
  processing_error: scheme('system_malfunction', 'unknown_reason'),
  customer_canceled: { status: 'canceled' },
  expired: { status: 'expired' },
};

/** Any other of our codes is a decline without a reason, which is all that Mollie could say. */
export const declineFor = (code: FailureCode): MollieDecline => DECLINES[code] ?? own('unknown_reason');

/** Undefined where Mollie has no word of its own. */
export const knownDecline = (code: string): MollieDecline | undefined =>
  isFailureCode(code) ? DECLINES[code] : undefined;
