import { type Decline, declineOf, type FailureCode } from '#shared/domain/payments/declines.catalog.ts';
import { REASONS, UNUSABLE_TOKEN } from '#shared/psp/flutterwave/declines.catalog.ts';
import { codeLike } from '#shared/psp/kit/code.ts';

/** Passes on only words that look like codes: nothing from a text. */
const codeOf = (text: string): string | null => codeLike(text, /^[a-z0-9_]{1,64}$/);

/** Reasons are sentences. On a text of an answer's full length our patterns would run for minutes. */
const LONGEST = 300;

const known = (text: string): Decline | undefined => {
  const line = REASONS.find(([words]) => words.test(text.slice(0, LONGEST)));
  return line && declineOf(line[2], line[1], line[3]);
};

/** Flutterwave's decline. An unknown reason is a plain decline. */
export const toDecline = (reason: string | null | undefined): Decline =>
  known(reason ?? '') ?? declineOf('card_declined', codeOf(reason ?? ''));

/** Reasons that are only about the customer's card or the order; a limit or a ban may also be the merchant's. */
const OF_THE_REQUEST: ReadonlySet<FailureCode> = new Set([
  'insufficient_funds',
  'do_not_honor',
  'lost_card',
  'stolen_card',
  'expired_card',
  'incorrect_pin',
  'incorrect_cvc',
  'invalid_expiry',
  'invalid_number',
  'amount_not_supported',
  'currency_not_supported',
  'method_not_supported',
]);

/** A refused request that itself says why the customer can't pay; undefined where it may be about us. */
export function spokenDecline(message: string, byToken: boolean): Decline | undefined {
  if (byToken && UNUSABLE_TOKEN.test(message.slice(0, LONGEST)))
    return declineOf('invalid_payment_method', 'invalid_token');
  const decline = known(message);
  return decline && OF_THE_REQUEST.has(decline.code) ? decline : undefined;
}
