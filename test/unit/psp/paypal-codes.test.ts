import { describe, expect, it } from 'vitest';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { lookUp, readReason, UNDECIDED } from '#shared/psp/kit/declines.ts';
import {
  ACCOUNT_ERRORS,
  ADVICE,
  authenticationOf,
  captureDecline,
  ISSUES,
  REQUEST_ERRORS,
  RESPONSE_CODES,
  refusalDecline,
  STATE_ERRORS,
  UNCERTAIN_ERRORS,
} from '#shared/psp/paypal/declines.catalog.ts';
import { captureOutcome, orderOutcome, refundOutcome } from '#shared/psp/paypal/outcomes.rules.ts';
import { REFUND_REFUSALS } from '#shared/psp/paypal/refunds.ts';
import type { Capture } from '#shared/psp/paypal/schema.ts';
import documented from '#test/fixtures/paypal/documented-codes.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

const declined = (processor_response: Capture['processor_response'], more: Partial<Capture> = {}): Capture => ({
  id: 'CAPTURE1',
  status: 'DECLINED',
  amount: { currency_code: 'EUR', value: '10.00' },
  processor_response,
  ...more,
});

const byCode = (response_code: string, payment_advice_code?: string, brand?: string) =>
  captureDecline(declined({ response_code, payment_advice_code }), brand);

const SETS = [
  ['account', ACCOUNT_ERRORS],
  ['state', STATE_ERRORS],
  [UNDECIDED, UNCERTAIN_ERRORS],
  ['request', REQUEST_ERRORS],
] as const;

const readIssue = (issue: string) => {
  const meaning = lookUp(ISSUES, issue);
  if (meaning !== undefined) return readReason(meaning, issue);
  const name = SETS.find(([, issues]) => issues.has(issue))?.[0];
  return name ?? (lookUp(REFUND_REFUSALS, issue) && `refund: ${REFUND_REFUSALS[issue]}`);
};

const READERS = [
  (code: string) => (lookUp(RESPONSE_CODES, code) === undefined ? undefined : byCode(code)),
  (code: string) => lookUp(ADVICE, code),
  readIssue,
  readIssue,
  readIssue,
];

describeDocumentedCodes(
  'paypal',
  documented.lists.map((list, n) => ({ ...list, read: READERS[n]! })),
);

describe('the tables of PayPal’s codes', () => {
  it('put an issue into one of them only', () => {
    const all = [...Object.keys(ISSUES), ...SETS.flatMap(([, issues]) => [...issues])];
    expect(all.filter((issue, n) => all.indexOf(issue) !== n)).toEqual([]);
  });

  it('name no code that PayPal does not document', () => {
    const known: ReadonlySet<string> = new Set(documented.lists.flatMap(({ codes }) => codes));
    const names = [RESPONSE_CODES, ADVICE, ISSUES, REFUND_REFUSALS].flatMap(Object.keys);
    const inSets = SETS.flatMap(([, issues]) => [...issues]);
    // The name of every malformed request, which stands in the place of an issue.
    expect([...names, ...inSets].filter((code) => !known.has(code))).toEqual(['INVALID_REQUEST']);
  });
});

describe('a declined capture', () => {
  it.each(['0800', 'PPIF', '0000', '1000', '7600', '5800', 'PPLR', 'PPUR', 'PPS1', 'PPRF'])(
    'with the code %s is not decided, so it is asked about again',
    (code) => {
      expect(byCode(code)).toBe(UNDECIDED);
      expect(byCode(code, '03')).toBe(UNDECIDED);
      expect(captureOutcome(declined({ response_code: code }))).toEqual({ kind: 'processing', reference: 'CAPTURE1' });
    },
  );

  it.each<[string, ...Parameters<typeof declineOf>]>([
    ['is never tried again, as the issuer will not answer', 'issuer_unavailable', '5910', 'never'],
    ['has reached a limit of the network', 'limit_exceeded', 'PPNL'],
    ['has a revoked token', 'authorization_revoked', 'PPTR'],
    ['is a possible duplicate, and stays', 'card_declined', '5200', 'fix_input'],
    ['was not permitted, and stays', 'transaction_not_allowed', '5700'],
    ['has a code of no list, and stays', 'card_declined', 'ZZZZ', 'retry_same_later'],
    ['is a generic refusal, and may go elsewhere', 'card_declined', '5100', 'retry_other_psp'],
    ['is not honored, and may go elsewhere', 'do_not_honor', '0500', 'retry_other_psp'],
    ['met a network error, and stays', 'processing_error', 'PPNT', 'retry_same_later'],
  ])('%s', (_, ...expected) => expect(byCode(expected[1] ?? '')).toEqual(declineOf(...expected)));

  it('without any reason stays', () =>
    expect(captureDecline(declined({}))).toEqual(declineOf('card_declined', null, 'retry_same_later')));

  it('that the payee’s risk filter stopped is a suspected fraud', () => {
    const status_details = { reason: 'DECLINED_BY_RISK_FRAUD_FILTERS' };
    expect(captureDecline(declined({ response_code: '5100' }, { status_details }))).toEqual(
      declineOf('fraud_suspected', 'DECLINED_BY_RISK_FRAUD_FILTERS'),
    );
  });

  it.each([
    ['5120', '03', 'never'],
    ['5100', '22', 'new_method'],
    ['5100', '24', 'retry_same_later'],
    ['5100', '40', 'new_method'],
    ['0500', '01', 'fix_input'],
    ['9520', '02', 'never'],
    ['5910', '02', 'never'],
    ['ZZZZ', '03', 'never'],
    ['ZZZZ', '99', 'retry_same_later'],
  ])('with the code %s follows the advice %s: %s', (code, advice, retry) =>
    expect(byCode(code, advice)).toMatchObject({ retry }),
  );

  it('reads the advice 02 as Visa means it, where the card is a Visa', () => {
    expect(byCode('5100', '02', 'VISA')).toMatchObject({ retry: 'never' });
    expect(byCode('5100', '02', 'MASTERCARD')).toMatchObject({ retry: 'retry_same_later' });
    const network_transaction_reference = { network: 'VISA' };
    const capture = declined({ response_code: '0500', payment_advice_code: '02' }, { network_transaction_reference });
    expect(captureDecline(capture)).toMatchObject({ retry: 'never' });
  });
});

describe('a refusal with HTTP 422', () => {
  const read = (error: object) => refusalDecline(422, { name: 'UNPROCESSABLE_ENTITY', ...error });

  it.each([
    ['names an issue of no list', { details: [{ issue: 'SOMETHING_NEW' }] }, 'SOMETHING_NEW'],
    ['names no issue', {}, 'UNPROCESSABLE_ENTITY'],
    ['names none in its details', { details: [{ field: '/amount' }] }, 'UNPROCESSABLE_ENTITY'],
  ])('that %s is a decline that stays', (_, error, provider_code) =>
    expect(read(error)).toEqual({ code: 'card_declined', retry: 'retry_same_later', provider_code }),
  );

  it('about our request or the account is no decline', () => {
    for (const issue of ['ITEM_TOTAL_MISMATCH', 'PAYEE_ACCOUNT_RESTRICTED', 'ORDER_NOT_APPROVED'])
      expect([issue, read({ details: [{ issue }] })]).toEqual([issue, undefined]);
  });

  it('reads the issue where an older answer has it as its name', () =>
    expect(refusalDecline(422, { name: 'PAYMENT_DENIED' })).toMatchObject({
      code: 'card_declined',
      retry: 'new_method',
    }));
});

const UNSAID = [undefined, null] as const;
const ENROLLMENTS = ['Y', 'N', 'U', 'B', ...UNSAID];
const STATUSES = ['Y', 'N', 'U', 'A', 'C', 'R', 'D', 'I', ...UNSAID];
const SHIFTS = ['POSSIBLE', 'NO', 'UNKNOWN', 'YES', ...UNSAID];

const resultOf = (enrollment_status: unknown, authentication_status: unknown, liability_shift: unknown) => ({
  id: 'ORDER1',
  payment_source: {
    card: {
      authentication_result: { liability_shift, three_d_secure: { enrollment_status, authentication_status } },
    },
  },
});

describe('the result of 3-D Secure', () => {
  it('goes on for the five results that PayPal lists, and for no other of all combinations', () => {
    const all = ENROLLMENTS.flatMap((e) => STATUSES.flatMap((a) => SHIFTS.map((l) => [e, a, l] as const)));
    const going = all.filter((words) => authenticationOf(resultOf(...words)) === 'may_go_on');
    expect([...new Set(going.map((words) => words.map((word) => word ?? '–').join(' ')))]).toEqual([
      'Y Y POSSIBLE',
      'Y A POSSIBLE',
      'N – NO',
      'U – NO',
      'B – NO',
    ]);
  });

  it.each([
    ['odd types', resultOf('N', 7, 'NO')],
    ['an empty object', { id: 'ORDER1', payment_source: { card: { authentication_result: {} } } }],
    [
      'a liability shift alone',
      { id: 'ORDER1', payment_source: { card: { authentication_result: { liability_shift: 'NO' } } } },
    ],
    ['lower case', resultOf('y', 'y', 'possible')],
  ])('does not go on with %s', (_, order) => expect(authenticationOf(order)).not.toBe('may_go_on'));

  it('is not needed where the bank asked for none', () => {
    expect(authenticationOf({ id: 'ORDER1', payment_source: { card: { authentication_result: null } } })).toBe(
      'may_go_on',
    );
    expect(authenticationOf({ id: 'ORDER1', payment_source: { card: {} } })).toBe('may_go_on');
    expect(authenticationOf({ id: 'ORDER1' })).toBe('may_go_on');
  });

  it.each(['N', 'R'])('has failed for good with the status %s', (status) =>
    expect(authenticationOf(resultOf('Y', status, 'NO'))).toBe('failed'),
  );
});

describe('the statuses that PayPal documents', () => {
  it.each([
    ['COMPLETED', 'succeeded'],
    ['PARTIALLY_REFUNDED', 'succeeded'],
    ['REFUNDED', 'succeeded'],
    ['PENDING', 'processing'],
    ['DECLINED', 'declined'],
    ['FAILED', 'declined'],
    ['SOMETHING_NEW', 'processing'],
  ])('read a capture that is %s as %s', (status, kind) =>
    expect(captureOutcome({ ...declined({}), status })).toMatchObject({ kind }),
  );

  it.each([
    ['CREATED', 'requires_action'],
    ['PAYER_ACTION_REQUIRED', 'requires_action'],
    ['SAVED', 'processing'],
    ['APPROVED', 'processing'],
    ['PENDING_APPROVAL', 'processing'],
    ['COMPLETED', 'processing'],
    ['VOIDED', 'canceled'],
    [null, 'processing'],
  ])('read an order without a capture that is %s as %s', (status, kind) => {
    const links = [{ rel: 'payer-action', href: 'https://www.paypal.com/checkoutnow?token=ORDER1' }];
    expect(orderOutcome({ id: 'ORDER1', status, links })).toMatchObject({ kind });
  });

  it.each([
    ['COMPLETED', 'succeeded'],
    ['PENDING', 'accepted'],
    ['FAILED', 'failed'],
    ['CANCELLED', 'failed'],
    ['SOMETHING_NEW', 'accepted'],
  ])('read a refund that is %s as %s', (status, kind) =>
    expect(refundOutcome({ id: 'REFUND1', status })).toMatchObject({ kind }),
  );
});
