import { describe, expect, it } from 'vitest';
import {
  type DeclineClass,
  declineOf,
  FAILURES,
  type FailureCode,
  mayFailOver,
} from '#shared/domain/payments/declines.catalog.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

const CODES = Object.keys(FAILURES) as FailureCode[];
const isCode = (value: unknown): value is FailureCode => typeof value === 'string' && Object.hasOwn(FAILURES, value);
const isFinal = (code: FailureCode) => ['hard_decline', 'fraud'].includes(FAILURES[code].category);
const CLASSES: readonly unknown[] = [
  'retry_same_later',
  'retry_other_psp',
  'only_other_psp',
  'fix_input',
  'new_method',
  'never',
  'config',
] satisfies DeclineClass[];

const ELSEWHERE: readonly DeclineClass[] = ['retry_other_psp', 'only_other_psp', 'config'];

type Meaning = { readonly code: FailureCode; readonly retry: DeclineClass };

/** Every code that a table leads to, with its class: a class stands right behind its code. */
function meaningsIn(table: unknown): readonly Meaning[] {
  if (isCode(table)) return [{ code: table, retry: FAILURES[table].retry }];
  if (typeof table !== 'object' || table === null || table instanceof RegExp) return [];
  const parts = Object.values(table);
  return parts.flatMap((part, n) => {
    const retry = Array.isArray(table) && CLASSES.includes(parts[n + 1]) ? (parts[n + 1] as DeclineClass) : undefined;
    return isCode(part) && retry ? [{ code: part, retry }] : meaningsIn(part);
  });
}

describe('hard declines and suspected frauds', () => {
  it('have a class that allows no failover', () =>
    expect(CODES.filter((code) => isFinal(code) && ELSEWHERE.includes(FAILURES[code].retry))).toEqual([]));

  it.each(PROVIDERS)('have no class that allows failover in the table of %s', async (provider) => {
    const meanings = meaningsIn({ ...(await import(`../../../shared/psp/${provider}/declines.catalog.ts`)) });
    expect(meanings.length).toBeGreaterThan(20);
    expect(meanings.filter(({ code, retry }) => isFinal(code) && ELSEWHERE.includes(retry))).toEqual([]);
  });

  it('allow no failover, whatever the table of a provider says', () => {
    const elsewhere = CODES.filter((code) => mayFailOver(declineOf(code, null, 'retry_other_psp')));
    expect(elsewhere).toEqual(CODES.filter((code) => !isFinal(code)));
    expect([mayFailOver(declineOf('card_declined')), mayFailOver(declineOf('insufficient_funds'))]).toEqual([
      true,
      false,
    ]);
  });
});
