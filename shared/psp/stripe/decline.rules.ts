import { type Decline, declineOf, type FailureCode } from '#shared/domain/declines.catalog.ts';
import { ADVICE, REASONS, UNUSABLE } from '#shared/psp/stripe/declines.catalog.ts';
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

/** 404 is how an object that is only named may be missed, too. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 404]);

/** A request refused for what is in it, be it the method or the amount: the customer's matter, so a decline and no fault of the configuration. */
export function requestRefusal(status: number, fault: StripeFault): Decline | undefined {
  if (!OF_REQUEST.has(status)) return undefined;
  const code = codeOf(fault.code);
  const failure = code !== null && Object.hasOwn(UNUSABLE, code) ? UNUSABLE[code] : byParam(fault.param ?? '');
  return failure && declineOf(failure, code);
}

function byParam(param: string): FailureCode | undefined {
  if (IN_TOKEN.has(param)) return 'invalid_payment_method';
  return param === 'currency' ? 'currency_not_supported' : undefined;
}
