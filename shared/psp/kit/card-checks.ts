import type { CheckResult, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';

type Avs = NonNullable<NetworkReport['avs']>;

/** The letters that cards' networks use for the check of an address: the results of the street and of the postal code. */
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
export function avsOfLetter(told: unknown): Avs | undefined {
  const code = letterOf(told);
  if (code === undefined) return undefined;
  const [address, postal_code] = lookUp(AVS_LETTERS, code) ?? [];
  return address && postal_code ? { code, address, postal_code } : { code };
}

export const cvcOfLetter = (told: unknown): CheckResult | undefined => lookUp(CVC_LETTERS, letterOf(told));

const letterOf = (told: unknown): string | undefined =>
  typeof told === 'string' && /^[A-Za-z]$/.test(told) ? told.toUpperCase() : undefined;

/** The results of a PSP that tells them in words, by its table. */
export function avsOfWords(
  table: Readonly<Record<string, CheckResult>>,
  told: { readonly address: unknown; readonly postal_code: unknown },
): Avs | undefined {
  const [address, postal_code] = [checkOf(table, told.address), checkOf(table, told.postal_code)];
  if (!address && !postal_code) return undefined;
  return { ...(address && { address }), ...(postal_code && { postal_code }) };
}

export const checkOf = (table: Readonly<Record<string, CheckResult>>, told: unknown): CheckResult | undefined =>
  typeof told === 'string' ? lookUp(table, told) : undefined;
