import { describe, expect, it } from 'vitest';
import {
  type DeclineClass,
  declineOf,
  FAILURES,
  type FailureCode,
  failureOf,
  needsOtherMethod,
} from '#shared/domain/payments/declines.catalog.ts';

const CODES = Object.keys(FAILURES) as FailureCode[];

describe('a failed payment', () => {
  it('needs another payment method after these reasons', () => {
    expect(CODES.filter((code) => needsOtherMethod(failureOf(declineOf(code))))).toEqual([
      'expired_card',
      'card_not_supported',
      'transaction_not_allowed',
      'invalid_payment_method',
    ]);
  });

  it.each<[string, FailureCode, DeclineClass, boolean]>([
    ['another method, for a reason that says less', 'do_not_honor', 'new_method', true],
    ['another method, for no reason', 'card_declined', 'new_method', true],
    ['other details, of an expired card', 'expired_card', 'fix_input', false],
    ['a later try, of a method that usually never works', 'transaction_not_allowed', 'retry_same_later', false],
    ['another method, when the limit may be raised', 'limit_exceeded', 'new_method', false],
    ['another method, when the customer gave up', 'customer_canceled', 'new_method', false],
  ])('goes by the advice of the provider: %s', (_, code, advice, needed) => {
    const failure = failureOf(declineOf(code, null, advice));
    expect(needsOtherMethod(failure)).toBe(needed);
    expect(needsOtherMethod(JSON.parse(JSON.stringify(failure)))).toBe(needed);
  });

  it('of an earlier release needs another method by its code alone', () => {
    const stored = { category: 'hard_decline', message: '', provider_code: null, retryable: true } as const;
    expect(needsOtherMethod({ ...stored, code: 'expired_card' })).toBe(true);
    expect(needsOtherMethod({ ...stored, code: 'a_code_of_later' })).toBe(false);
  });
});
