import type { CheckResult, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';

type Avs = NonNullable<NetworkReport['avs']>;

/** The letters that card networks use for the check of an address: the results of the street and of the postal code. */
const AVS_LETTERS: Readonly<Record<string, readonly [CheckResult, CheckResult]>> = {
  A: ['match', 'mismatch'],
  B: ['match', 'unchecked'],
  C: ['unchecked', 'unchecked'],
  D: ['match', 'match'],
  F: ['match', 'match'],
  G: ['unchecked', 'unchecked'],
  I: ['unchecked', 'unchecked'],
  M: ['match', 'match'],
  N: ['mismatch', 'mismatch'],
  P: ['unchecked', 'match'],
  R: ['unchecked', 'unchecked'],
  S: ['unchecked', 'unchecked'],
  U: ['unchecked', 'unchecked'],
  W: ['mismatch', 'match'],
  X: ['match', 'match'],
  Y: ['match', 'match'],
  Z: ['mismatch', 'match'],
};

/** The letters for the check of a security code. */
const CVC_LETTERS: Readonly<Record<string, CheckResult>> = {
  D: 'mismatch',
  M: 'match',
  N: 'mismatch',
  P: 'unchecked',
  S: 'unchecked',
  U: 'unchecked',
  Y: 'match',
};

/** What the network's letter says; of a letter without a known meaning, the letter alone. */
export function avsOfLetter(given: unknown): Avs | undefined {
  const code = letterOf(given);
  if (code === undefined) return undefined;
  const [address, postal_code] = lookUp(AVS_LETTERS, code) ?? [];
  return address && postal_code ? { code, address, postal_code } : { code };
}

export const cvcOfLetter = (given: unknown): CheckResult | undefined => lookUp(CVC_LETTERS, letterOf(given));

const letterOf = (given: unknown): string | undefined =>
  typeof given === 'string' && /^[A-Za-z]$/.test(given) ? given.toUpperCase() : undefined;

/** The results of a PSP that tells them in words, by its table. */
export function avsOfWords(
  table: Readonly<Record<string, CheckResult>>,
  given: { readonly address: unknown; readonly postal_code: unknown },
): Avs | undefined {
  const [address, postal_code] = [checkOf(table, given.address), checkOf(table, given.postal_code)];
  if (!address && !postal_code) return undefined;
  return { ...(address && { address }), ...(postal_code && { postal_code }) };
}

export const checkOf = (table: Readonly<Record<string, CheckResult>>, given: unknown): CheckResult | undefined =>
  typeof given === 'string' ? lookUp(table, given) : undefined;
