import { type Decline, declineOf } from '#shared/domain/declines.catalog.ts';
import { ADVICE, REASONS, UNUSABLE_METHOD } from '#shared/psp/stripe/declines.catalog.ts';
import { codeOf } from '#shared/psp/stripe/error.rules.ts';
import type { StripeFault } from '#shared/psp/stripe/objects.schema.ts';

/** Stripe said no. A reason we don't know is a plain decline where the card's issuer spoke, and a fault of the provider elsewhere. */
export function toDecline(fault: StripeFault): Decline {
  const reason = codeOf(fault.decline_code) ?? codeOf(fault.code);
  const known = reason === null || !Object.hasOwn(REASONS, reason) ? undefined : REASONS[reason];
  const [code, usual] = typeof known === 'string' ? [known] : (known ?? [fault.type === 'card_error' ? 'card_declined' : 'processing_error']);
  const advice = fault.advice_code && Object.hasOwn(ADVICE, fault.advice_code) ? ADVICE[fault.advice_code] : undefined;
  return declineOf(code, reason, advice ?? usual);
}

/** Parameters that come from the token: a customer who is gone has taken the saved method along. */
const IN_TOKEN: ReadonlySet<string> = new Set(['payment_method', 'confirmation_token', 'customer', 'mandate']);

/** A request refused because the method in it can't be used: the customer's matter, so a decline and no fault of the configuration. */
export function methodRefusal(fault: StripeFault): Decline | undefined {
  const code = codeOf(fault.code);
  if (code === 'resource_missing' && IN_TOKEN.has(fault.param ?? '')) return declineOf('invalid_payment_method', code);
  const failure = code !== null && Object.hasOwn(UNUSABLE_METHOD, code) ? UNUSABLE_METHOD[code] : undefined;
  return failure && declineOf(failure, code);
}
