import type { CardReason, FailureReason, Messages } from '#functions/hosted-pages/locales/locale.model.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** Card testers must not learn that a card is lost, stolen or suspected, so those read as a plain decline. */
const REASONS = {
  insufficient_funds: 'insufficient_funds',
  card_declined: 'declined',
  do_not_honor: 'declined',
  limit_exceeded: 'limit_exceeded',
  try_again_later: 'unavailable',
  issuer_unavailable: 'unavailable',
  authentication_required: 'not_authenticated',
  authentication_failed: 'not_authenticated',
  incorrect_cvc: 'wrong_details',
  invalid_expiry: 'wrong_details',
  incorrect_pin: 'wrong_details',
  call_issuer: 'declined',
  expired_card: 'expired_card',
  card_not_supported: 'method_not_accepted',
  transaction_not_allowed: 'method_not_accepted',
  invalid_payment_method: 'method_not_accepted',
  invalid_number: 'wrong_details',
  lost_card: 'declined',
  stolen_card: 'declined',
  restricted_card: 'declined',
  invalid_account: 'method_not_accepted',
  authorization_revoked: 'declined',
  fraud_suspected: 'declined',
  fraud_blocked: 'declined',
  customer_canceled: 'not_completed',
  processing_error: 'unavailable',
  provider_unavailable: 'unavailable',
  amount_not_supported: 'not_possible',
  method_not_supported: 'method_not_accepted',
  currency_not_supported: 'not_possible',
  invalid_configuration: 'not_possible',
  no_route: 'not_possible',
  retry_budget_exhausted: 'declined',
  capture_declined: 'declined',
  authorization_expired: 'timed_out',
  expired: 'timed_out',
} as const satisfies Record<FailureCode, FailureReason>;

/**
 * Our own texts for why a payment failed. Customers never see the provider's text. The text for a transfer speaks of no
 * card.
 */
export function failureMessage(
  code: string,
  { failures, otherFailures }: Pick<Messages, 'failures' | 'otherFailures'>,
  method = 'card',
): string {
  const reason: FailureReason = Object.hasOwn(REASONS, code) ? REASONS[code as FailureCode] : 'declined';
  const speaksOfCard = method !== 'card' && Object.hasOwn(otherFailures, reason);
  return speaksOfCard ? otherFailures[reason as CardReason] : failures[reason];
}
