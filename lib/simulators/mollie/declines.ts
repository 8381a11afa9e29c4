import { isFailureCode } from '#lib/simulators/kit/behaviour.ts';
import type { PaymentStatus } from '#lib/simulators/mollie/objects.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** A failed attempt: Mollie's reason, and the reason of the card scheme if there is one. */
export type MollieDecline = {
  readonly status: Extract<PaymentStatus, 'failed' | 'canceled' | 'expired'>;
  readonly reason?: string;
  readonly scheme?: string;
  /** Of a SEPA debit: the bank's code. */
  readonly bankReason?: string;
};

const mollieReason = (reason: string): MollieDecline => ({ status: 'failed', reason });
const schemeReason = (code: string, reason = 'card_declined'): MollieDecline => ({
  status: 'failed',
  reason,
  scheme: code,
});

/** Our failure codes as Mollie's reasons. Codes that only we have (`no_route` …) are missing. */
const DECLINES: Readonly<Partial<Record<FailureCode, MollieDecline>>> = {
  insufficient_funds: schemeReason('insufficient_funds', 'insufficient_funds'),
  card_declined: mollieReason('card_declined'),
  do_not_honor: schemeReason('do_not_honor', 'refused_by_issuer'),
  limit_exceeded: schemeReason('exceeds_withdrawal_amount_limit'),
  try_again_later: schemeReason('honor_with_id'),
  issuer_unavailable: schemeReason('issuer_unavailable', 'refused_by_issuer'),
  authentication_required: mollieReason('authentication_required'),
  authentication_failed: mollieReason('authentication_failed'),
  incorrect_cvc: mollieReason('invalid_cvv'),
  incorrect_pin: schemeReason('invalid_pin'),
  call_issuer: schemeReason('refer_to_card_issuer'),
  expired_card: schemeReason('expired_card', 'card_expired'),
  card_not_supported: mollieReason('invalid_card_type'),
  transaction_not_allowed: schemeReason('transaction_not_permitted_to_cardholder'),
  invalid_payment_method: mollieReason('inactive_card'),
  invalid_number: mollieReason('invalid_card_number'),
  lost_card: schemeReason('lost_card'),
  stolen_card: schemeReason('stolen_card'),
  restricted_card: schemeReason('restricted_card'),
  invalid_account: schemeReason('closed_account'),
  authorization_revoked: schemeReason('revocation_of_authorization'),
  fraud_suspected: schemeReason('suspected_fraud', 'possible_fraud'),
  processing_error: schemeReason('system_malfunction', 'unknown_reason'),
  customer_canceled: { status: 'canceled' },
  expired: { status: 'expired' },
};

/** Words of `details.failureReason`. All others are the scheme's. */
const FAILURE_REASONS: ReadonlySet<string> = new Set(
  `authentication_abandoned authentication_failed authentication_required authentication_unavailable_acs card_declined
  card_expired inactive_card insufficient_funds invalid_cvv invalid_card_holder_name invalid_card_number
  invalid_card_type possible_fraud refused_by_issuer unknown_reason`.split(/\s+/),
);

/** `failed_lost_card`, `failed_possible_fraud`, `failed_AM04`: a payment that fails for this reason. */
export function requestedDecline(token: string): MollieDecline | undefined {
  const reason = /^failed_([a-z0-9_]+|[A-Z]{2}[A-Z0-9]{2})$/.exec(token)?.[1];
  if (reason === undefined) return undefined;
  if (/^[A-Z]/.test(reason)) return { status: 'failed', bankReason: reason };
  return FAILURE_REASONS.has(reason) ? mollieReason(reason) : schemeReason(reason);
}

/** Codes without an equivalent become `unknown_reason`. */
export const declineFor = (code: FailureCode): MollieDecline => DECLINES[code] ?? mollieReason('unknown_reason');

/** Undefined if Mollie has no such reason. */
export const knownDecline = (code: string): MollieDecline | undefined =>
  isFailureCode(code) ? DECLINES[code] : undefined;
