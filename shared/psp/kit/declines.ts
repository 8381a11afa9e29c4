import {
  type Decline,
  type DeclineClass,
  declineOf,
  FAILURES,
  type FailureCode,
  mayFailOver,
} from '#shared/domain/payments/declines.catalog.ts';
import type { PspOutcome } from '#shared/ports/psp.port.ts';

/**
 * The bank may still approve the charge. It is not declined: the PSP is polled, and the charge is never sent elsewhere.
 */
export const UNDECIDED = 'undecided';

/**
 * What a provider's reason means: our code, with a class where the reason is narrower or wider than the code, or
 * `undecided`.
 */
export type ReasonMeaning = FailureCode | readonly [FailureCode, DeclineClass] | typeof UNDECIDED;

/** The reasons of a provider, by its own codes. If the provider publishes a list, the table contains all of it. */
export type ReasonTable = Readonly<Record<string, ReasonMeaning>>;

export const lookUp = <T>(table: Readonly<Record<string, T>>, key: string | null | undefined): T | undefined =>
  typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;

/**
 * A decline whose reason is not on the provider's list. It may mean "never", or "already charged", so the charge stays
 * at this provider. The customer may retry later, and dunning goes on.
 */
export const unknownDecline = (providerCode: string | null = null): Decline =>
  declineOf('card_declined', providerCode, 'retry_same_later');

/** Advice with an unknown code: it may mean "never". */
export const UNKNOWN_ADVICE = 'unknown_advice';

export type Advice = DeclineClass | typeof UNKNOWN_ADVICE;

/** The decline of a reason, as narrowed by advice; or `undecided`, which no advice overrules. */
export function readReason(
  meaning: ReasonMeaning | undefined,
  reason: string | null,
  advice?: Advice,
): Decline | typeof UNDECIDED {
  if (meaning === UNDECIDED) return UNDECIDED;
  if (meaning === undefined) return withAdvice(unknownDecline(reason), advice);
  const [code, retry] = typeof meaning === 'string' ? [meaning] : meaning;
  return withAdvice(declineOf(code, reason, retry), advice);
}

/**
 * Advice of a card scheme or of the provider wins over our tables. A reason that must never be retried stays so: advice
 * to try later is about the account, and does not bring back a lost card. With unknown advice the charge stays at this
 * provider.
 */
export function withAdvice(decline: Decline, advice: Advice | undefined): Decline {
  if (advice === UNKNOWN_ADVICE) return mayFailOver(decline) ? { ...decline, retry: 'retry_same_later' } : decline;
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

/** `03`, `3`, the number 3, `MAC03` and `03 : Do not try again` are one code: two digits. */
export function adviceCode(given: unknown): string | undefined {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given) : '';
  return /^\s*(?:MAC)?\s*(\d{1,2})(?!\d)/i.exec(text)?.[1]?.padStart(2, '0');
}

/** Advice by a list of codes, in any spelling of them. Undefined where there is none. */
export function adviceIn(list: Readonly<Record<string, DeclineClass>>, given: unknown): Advice | undefined {
  const isGiven = typeof given === 'number' || (typeof given === 'string' && given.trim() !== '');
  return isGiven ? (lookUp(list, adviceCode(given)) ?? UNKNOWN_ADVICE) : undefined;
}

/** The class of a Mastercard merchant advice code. */
export const mastercardAdvice = (given: unknown): Advice | undefined => adviceIn(MASTERCARD_ADVICE, given);
