import { type Decline, declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { ADVICE, REASONS, UNUSABLE } from '#shared/psp/stripe/declines.catalog.ts';
import { codeOf } from '#shared/psp/stripe/error.rules.ts';
import type { StripeFault } from '#shared/psp/stripe/objects.schema.ts';

/** Stripe's decline. An unknown reason is a plain decline if the issuer declined, and otherwise a provider fault. */
export function toDecline(fault: StripeFault): Decline {
  const reason = codeOf(fault.decline_code) ?? codeOf(fault.code);
  const known = reason === null || !Object.hasOwn(REASONS, reason) ? undefined : REASONS[reason];
  const [code, usual] =
    typeof known === 'string'
      ? [known]
      : (known ?? [fault.type === 'card_error' ? 'card_declined' : 'processing_error']);
  const advice = fault.advice_code && Object.hasOwn(ADVICE, fault.advice_code) ? ADVICE[fault.advice_code] : undefined;
  return declineOf(code, reason, advice ?? usual);
}

/** Parameters from the token: a deleted customer takes the saved method along. */
const IN_TOKEN: ReadonlySet<string> = new Set(['payment_method', 'confirmation_token', 'customer', 'mandate']);

/** A missing object that is only named may be a 404, too. */
const OF_REQUEST: ReadonlySet<number> = new Set([400, 404]);

/**
 * A request refused for its content, method or amount: the customer's matter, so a decline and no configuration error.
 */
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
