import {
  type Decline,
  type DeclineClass,
  declineOf,
  FAILURES,
  type FailureCode,
} from '#shared/domain/payments/declines.catalog.ts';
import type { PspOutcome } from '#shared/ports/psp.port.ts';

/** The bank may still approve the charge. It is not declined: it is asked about again, and never sent elsewhere. */
export const UNDECIDED = 'undecided';

/**
 * What a provider's reason means: our code, with a class where the reason is narrower or wider than the code, or
 * `undecided`.
 */
export type ReasonMeaning = FailureCode | readonly [FailureCode, DeclineClass] | typeof UNDECIDED;

/** A provider's reasons by its own codes. A list the provider publishes is in it as a whole. */
export type ReasonTable = Readonly<Record<string, ReasonMeaning>>;

export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string | null | undefined): T | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * A decline whose reason is not on the provider's list. It may mean "never", or "already charged", so the charge stays
 * at this provider. The customer may retry later, and dunning goes on.
 */
export const unknownDecline = (providerCode: string | null = null): Decline =>
  declineOf('card_declined', providerCode, 'retry_same_later');

/** The decline of a reason, as narrowed by advice; or `undecided`, which no advice overrules. */
export function readReason(
  meaning: ReasonMeaning | undefined,
  reason: string | null,
  advice?: DeclineClass,
): Decline | typeof UNDECIDED {
  if (meaning === UNDECIDED) return UNDECIDED;
  if (meaning === undefined) return withAdvice(unknownDecline(reason), advice);
  const [code, retry] = typeof meaning === 'string' ? [meaning] : meaning;
  return withAdvice(declineOf(code, reason, retry), advice);
}

/**
 * Advice of a card scheme or the provider wins over our tables. But a reason that must never be retried stays so: advice
 * to try later is about the account, and the card is lost all the same.
 */
export function withAdvice(decline: Decline, advice: DeclineClass | undefined): Decline {
  if (advice === undefined || decline.retry === 'never' || FAILURES[decline.code].category === 'fraud') return decline;
  return { ...decline, retry: advice };
}

/** A failed charge as an outcome. */
export const outcomeOfReason = (reference: string, decline: Decline | typeof UNDECIDED): PspOutcome =>
  decline === UNDECIDED ? { kind: 'processing', reference } : { kind: 'declined', reference, decline };

/**
 * Mastercard's merchant advice codes. Sources: public pages of acquirers (2026-11): 01 new account data, 02 later,
 * 03 and 21 never, 04 and 05 the token or the negotiated value does not fit, 22 the merchant does not qualify, 24 to 30
 * after one hour to ten days, 40 a prepaid card that is not reloadable, 41 a single-use number, 42 sanctions, 43 a
 * virtual number. The manual itself is not public.
 */
export const MASTERCARD_ADVICE: Readonly<Record<string, DeclineClass>> = {
  '01': 'fix_input',
  '02': 'retry_same_later',
  '03': 'never',
  '04': 'new_method',
  '05': 'new_method',
  '21': 'never',
  '22': 'new_method',
  '24': 'retry_same_later',
  '25': 'retry_same_later',
  '26': 'retry_same_later',
  '27': 'retry_same_later',
  '28': 'retry_same_later',
  '29': 'retry_same_later',
  '30': 'retry_same_later',
  '40': 'new_method',
  '41': 'new_method',
  '42': 'never',
  '43': 'new_method',
};
