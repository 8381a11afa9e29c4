import { describe, expect, it } from 'vitest';
import { type Decline, mayFailOver } from '#shared/domain/payments/declines.catalog.ts';
import {
  AUTHENTICATIONS,
  ERROR_CODES,
  REASONS,
  RECOMMENDATIONS,
  REFUND_REASONS,
  readDecline,
  requestDecline,
} from '#shared/psp/checkout/declines.catalog.ts';
import { toOutcome } from '#shared/psp/checkout/outcomes.rules.ts';
import { lookUp, MASTERCARD_ADVICE, UNDECIDED } from '#shared/psp/kit/declines.ts';
import documented from '#test/fixtures/checkout/documented-codes.json' with { type: 'json' };
import captured from '#test/fixtures/checkout/payment-captured.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

const STATUSES: Readonly<Record<string, string>> = {
  Active: 'processing',
  Requested: 'processing',
  Pending: 'processing',
  Authorized: 'processing',
  'Authentication Requested': 'processing',
  'Retry Scheduled': 'processing',
  // Only of a charge of nothing, which we never make.
  'Card Verified': 'processing',
  Canceled: 'canceled',
  Voided: 'canceled',
  Expired: 'declined',
  Declined: 'declined',
  Paid: 'succeeded',
  'Partially Captured': 'succeeded',
  Captured: 'succeeded',
  'Partially Refunded': 'succeeded',
  Refunded: 'succeeded',
};

const readReasonCode = (code: string) => (lookUp(REASONS, code) === undefined ? undefined : readDecline({ code }));

const readAuthentication = (authentication: string) =>
  lookUp(AUTHENTICATIONS, authentication) === 'passed' ? 'passed' : readDecline({ code: null, authentication });

const readErrorCode = (code: string) => requestDecline(422, [code]) ?? lookUp(ERROR_CODES, code)?.toString();

const READERS: Readonly<Record<string, (code: string) => ReturnType<typeof readReasonCode> | string>> = {
  'refund declines': (code) => lookUp(REFUND_REASONS, code),
  'recommendation codes': (code) => lookUp(RECOMMENDATIONS, code),
  'merchant advice codes of Mastercard': (code) => lookUp(MASTERCARD_ADVICE, code),
  '3-D Secure results': readAuthentication,
  'payment statuses': (status) => lookUp(STATUSES, status),
  'error codes': readErrorCode,
};

describeDocumentedCodes(
  'checkout',
  documented.lists.map((list) => ({ ...list, read: READERS[list.name] ?? readReasonCode })),
);

const inLists = (pattern: RegExp): readonly string[] =>
  documented.lists.filter(({ name }) => pattern.test(name)).flatMap(({ codes }) => codes);

describe('the tables of Checkout.com’s codes', () => {
  it('have no code that Checkout.com does not document', () => {
    expect(Object.keys(REASONS).filter((code) => !inLists(/xxx|editions/).includes(code))).toEqual([]);
    const known = inLists(/xxx|editions|refund/);
    expect(Object.keys(REFUND_REASONS).filter((code) => !known.includes(code))).toEqual([]);
  });

  it.each(Object.entries(STATUSES))('read a payment that is %s as %s', (status, kind) =>
    expect(toOutcome({ ...captured, status, _links: {} }).kind).toBe(kind),
  );
});

describe('a decline of Checkout.com', () => {
  const read = (code: string | null, more: object = {}): Decline => {
    const decline = readDecline({ code, ...more });
    if (decline === UNDECIDED) throw new Error(`${code} is undecided.`);
    return decline;
  };
  const goesElsewhere = (code: string, more: object = {}) => mayFailOver(read(code, more));

  it.each(['20009', '20010', '20032', '20110', '20118', '20199', '200A6', '10000', '10100'])(
    'with the code %s may have been approved, whatever the advice',
    (code) => {
      for (const recommendation of [undefined, '01', '02', '03'])
        expect(readDecline({ code, recommendation })).toBe(UNDECIDED);
    },
  );

  it.each(['20005', '20046', '20058', '20068', '20091', '20096', '20106', '20121'])(
    'with the published and harmless code %s goes elsewhere',
    (code) => expect(goesElsewhere(code)).toBe(true),
  );

  it.each([
    ...['20004', '20012', '20014', '20018', '20057', '20059', '20060', '20062', '20063', '20066', '20093', '2009G'],
    ...['200R1', '200R3', '30004', '30007', '30015', '30041', '30043', '30046', '40101', '41203', '43102'],
  ])('with the code %s never goes elsewhere, even with advice to try later', (code) => {
    expect(goesElsewhere(code)).toBe(false);
    expect(goesElsewhere(code, { recommendation: '02' })).toBe(false);
  });

  it.each(['20094', '20099', '20777', '30777', '49999', '60000'])(
    'with the code %s, a duplicate or unknown, stays',
    (code) => expect(goesElsewhere(code)).toBe(false),
  );

  it.each([
    ['01', undefined, 'fix_input'],
    ['02', undefined, 'retry_same_later'],
    ['03', undefined, 'never'],
    [undefined, '03', 'never'],
    [undefined, '21', 'never'],
    [undefined, '26', 'retry_same_later'],
    [undefined, '40', 'new_method'],
    ['02', '03', 'never'],
    ['03', '02', 'never'],
    ['02', '01', 'fix_input'],
    ['99', 'XX', 'retry_same_later'],
  ])('follows the stricter advice of %s and %s: %s', (recommendation, networkAdvice, retry) =>
    expect(read('20005', { recommendation, networkAdvice })).toMatchObject({ code: 'do_not_honor', retry }),
  );

  it.each([
    ['N', undefined, 'authentication_failed', 'fix_input'],
    ['U', '22', 'authentication_failed', 'fix_input'],
    ['C', undefined, 'authentication_failed', 'fix_input'],
    ['R', '01', 'authentication_failed', 'new_method'],
    ['N', '05', 'expired_card', 'new_method'],
    ['N', '10', 'stolen_card', 'never'],
    ['R', '11', 'fraud_suspected', 'never'],
    ['Y', undefined, 'card_declined', 'retry_same_later'],
    ['A', '10', 'card_declined', 'retry_same_later'],
    [undefined, undefined, 'card_declined', 'retry_same_later'],
  ])('without a code follows the authentication %s (%s): %s, %s', (authentication, reason, code, retry) =>
    expect(read(null, { authentication, authenticationReason: reason })).toEqual({ code, retry, provider_code: null }),
  );

  it('follows its code before its authentication', () =>
    expect(read('20051', { authentication: 'N' })).toMatchObject({ code: 'insufficient_funds' }));
});
