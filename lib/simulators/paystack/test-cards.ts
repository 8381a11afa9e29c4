import { declineAsked } from '#lib/simulators/frame/test-tokens.ts';
import type { Step } from '#lib/simulators/paystack/objects.ts';
import type { FailureCode } from '#shared/domain/payments/declines.catalog.ts';

/** How a stored card behaves. `reason` is what comes instead of the money. */
export type TestCard = {
  readonly steps: readonly Step[];
  readonly pending: boolean;
  readonly reason: string | null;
  readonly last4: string;
};

const CARD: TestCard = { steps: [], pending: false, reason: null, last4: '4081' };

/** Our failure codes as the banks behind Paystack word them. */
const REASONS: Readonly<Partial<Record<FailureCode, string>>> = {
  insufficient_funds: 'Insufficient Funds',
  card_declined: 'Declined',
  do_not_honor: 'Do Not Honor',
  limit_exceeded: 'Exceeds withdrawal limit',
  try_again_later: 'Unable to process transaction, try again later',
  issuer_unavailable: 'Issuer or Switch Inoperative',
  authentication_required: '3D Secure authentication is required',
  authentication_failed: '3D Secure authentication failed',
  incorrect_cvc: 'Invalid CVV',
  invalid_expiry: 'Invalid expiry date',
  incorrect_pin: 'Incorrect PIN',
  call_issuer: 'Refer to card issuer',
  expired_card: 'Expired Card',
  card_not_supported: 'Card type is not supported',
  transaction_not_allowed: 'Transaction not permitted to card holder',
  invalid_payment_method: 'Invalid card',
  invalid_number: 'Invalid card number',
  lost_card: 'Lost Card, Pick-Up',
  stolen_card: 'Stolen Card, Pick-Up',
  restricted_card: 'Restricted card',
  invalid_account: 'Invalid account',
  fraud_suspected: 'Suspected fraud',
  customer_canceled: 'Transaction cancelled by customer',
  authorization_revoked: 'Authorization revoked by customer',
  currency_not_supported: 'Currency not supported',
  processing_error: 'System malfunction',
  expired: 'The transaction was not completed',
};

export const reasonFor = (code: FailureCode): string => REASONS[code] ?? 'Declined';

/**
 * What an authorization code stands for; undefined where there is none. Those of Paystack's own form are good cards.
 */
export function testCard(code: string): TestCard | undefined {
  if (code === 'ok' || /^AUTH_\w+$/.test(code)) return CARD;
  if (code === 'needs_3ds') return { ...CARD, steps: ['open_url'] };
  if (code === 'needs_pin') return { ...CARD, steps: ['send_pin', 'send_otp'], last4: '7812' };
  if (code === 'needs_phone') return { ...CARD, steps: ['send_phone', 'send_otp'] };
  if (code === 'needs_address') return { ...CARD, steps: ['send_address'] };
  if (code === 'pending') return { ...CARD, pending: true };
  const failure = declineAsked(code);
  return failure && { ...CARD, reason: reasonFor(failure), last4: '5408' };
}

export const goodCard = (steps: readonly Step[] = []): TestCard => ({ ...CARD, steps });
