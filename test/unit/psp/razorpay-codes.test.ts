import { describe, expect, it } from 'vitest';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { REASONS, toDecline } from '#shared/psp/razorpay/declines.catalog.ts';
import { razorpayUnits } from '#shared/psp/razorpay/money.rules.ts';
import { toLinkOutcome, toOutcome, toRefundOutcome } from '#shared/psp/razorpay/outcomes.rules.ts';
import type { Payment } from '#shared/psp/razorpay/schema.ts';
import currencies from '#test/fixtures/razorpay/currencies.json' with { type: 'json' };
import documented from '#test/fixtures/razorpay/documented-codes.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

type Lists = Parameters<typeof describeDocumentedCodes>[1];
type Read = Lists[number]['read'];

const aPayment = (fields: Partial<Payment>): Payment => ({
  id: 'pay_1',
  entity: 'payment',
  amount: 10_200,
  currency: 'INR',
  status: 'captured',
  captured: true,
  fee: 200,
  order_id: 'order_1',
  ...fields,
});

const reason: Read = (code) =>
  Object.hasOwn(REASONS, code) ? toDecline({ reason: code, source: 'internal' }) : undefined;

/** What each documented word means. One that is missing here, or is read as another, counts as not mapped. */
const MEANINGS: Readonly<Record<string, string>> = {
  'payment created': 'waiting',
  'payment authorized': 'processing',
  'payment captured': 'succeeded',
  'payment refunded': 'succeeded',
  'payment failed': 'declined',
  'link created': 'requires_action',
  'link partially_paid': 'processing',
  'link expired': 'declined',
  'link cancelled': 'canceled',
  'link paid': 'processing',
  'refund pending': 'accepted',
  'refund processed': 'succeeded',
  'refund failed': 'failed',
  'fee platform': '10200 paid',
  'fee customer': '10000 paid',
  'fee dynamic': '10100 paid',
};

const asDocumented =
  (what: string, kindOf: (word: string) => string): Read =>
  (word) => {
    const kind = kindOf(word);
    return MEANINGS[`${what} ${word}`] === kind ? kind : undefined;
  };

/** The customer bears half of the fee in the order of `dynamic`. */
function priceBy(fee_bearer: string): string {
  const order = { id: 'order_1', entity: 'order', status: 'paid', amount: 10_100, currency: 'INR' } as const;
  const outcome = toOutcome(aPayment({ fee_bearer }), order);
  return outcome.kind === 'succeeded' ? `${outcome.amount} paid` : outcome.kind;
}

const READ: Readonly<Record<string, Read>> = {
  'payment statuses': asDocumented(
    'payment',
    (status) => toOutcome(aPayment({ status, error_reason: 'card_declined' })).kind,
  ),
  'payment link statuses': asDocumented(
    'link',
    (status) => toLinkOutcome({ id: 'plink_1', status, short_url: 'https://rzp.io/i/1' }).kind,
  ),
  'refund statuses': asDocumented(
    'refund',
    (status) => toRefundOutcome({ id: 'rfnd_1', entity: 'refund', amount: 100, currency: 'INR', status }).kind,
  ),
  'who bears the fee': asDocumented('fee', priceBy),
};

const lists: Lists = documented.lists.map((list) => ({ ...list, read: READ[list.name] ?? reason }));

describeDocumentedCodes('razorpay', lists);

describe('the declines of Razorpay', () => {
  it.each([
    'capture_failed',
    'collect_request_pending',
    'deemed_transaction',
    'duplicate_request',
    'invalid_response_from_gateway',
    'payment_pending',
    'payment_pending_approval',
    'psp_timeout',
    'request_timed_out',
    'verification_failed',
  ])('keep a payment undecided that the bank may still approve: %s', (undecided) =>
    expect(toOutcome(aPayment({ status: 'failed', captured: false, error_reason: undecided }))).toEqual({
      kind: 'processing',
      reference: 'pay_1',
    }),
  );

  it.each([
    ['pin_attempts_exceeded', 'incorrect_pin', 'new_method'],
    ['otp_expired', 'incorrect_pin', 'fix_input'],
    ['payment_amount_tampered', 'fraud_suspected', 'never'],
    ['transaction_daily_limit_exceeded', 'limit_exceeded', 'retry_same_later'],
    ['mcc_amount_limit_exceeded', 'limit_exceeded', 'new_method'],
    ['credit_limit_exceeded', 'limit_exceeded', 'new_method'],
    ['invalid_amount', 'amount_not_supported', 'only_other_psp'],
    ['payment_timed_out', 'expired', 'fix_input'],
    ['payment_declined', 'card_declined', 'retry_other_psp'],
  ])('read %s as %s', (code, ours, retry) =>
    expect(toDecline({ reason: code, source: 'issuer_bank' })).toEqual({ code: ours, retry, provider_code: code }),
  );

  it.each([
    ['a_reason_of_the_future', 'issuer_bank', 'a_reason_of_the_future'],
    ['a_reason_of_the_future', 'gateway', 'a_reason_of_the_future'],
    ['gateway_moon_error', 'internal', 'gateway_moon_error'],
    ['NA', 'NA', null],
    [null, null, null],
    ['constructor', 'bank', 'constructor'],
    ['Quotes 4111 1111', 'bank', null],
  ])('stay at Razorpay for the unknown reason %s of %s', (unknown, source, provider_code) =>
    expect(toDecline({ reason: unknown, source })).toEqual({
      code: 'card_declined',
      retry: 'retry_same_later',
      provider_code,
    }),
  );

  it.each([
    ['business', 'invalid_configuration', 'config'],
    ['internal', 'invalid_configuration', 'config'],
    [null, 'invalid_configuration', 'config'],
    ['customer', 'transaction_not_allowed', 'never'],
    ['issuer_bank', 'transaction_not_allowed', 'never'],
  ])('tell a violation of rules by its source %s', (source, code, retry) =>
    expect(toDecline({ reason: 'compliance_violation', source })).toMatchObject({ code, retry }),
  );
});

describe('a fee that the customer bears', () => {
  const captured = (fields: Partial<Payment>) => toOutcome(aPayment(fields));
  it.each<[string, Partial<Payment>, number]>([
    ['is no part of the price', { amount: 40_333, fee: 10_283, fee_bearer: 'customer' }, 30_050],
    ['is in the amount of a payment that was given back, too', { status: 'refunded', fee_bearer: 'customer' }, 10_000],
    ['counts if the merchant bears it', { fee_bearer: 'platform' }, 10_200],
    ['counts if nothing says who bears it', {}, 10_200],
    ['counts if the fee is not known', { fee: null, fee_bearer: 'customer' }, 10_200],
    ['counts if the fee is absurd', { fee: 10_200, fee_bearer: 'customer' }, 10_200],
    ['counts if it is shared and the order is not known', { fee_bearer: 'dynamic' }, 10_200],
  ])('%s', (_, fields, amount) => expect(captured(fields)).toMatchObject({ kind: 'succeeded', amount }));

  it.each([10_201, 9_999])('is not taken for the difference to an order of another amount (%i)', (amount) => {
    const order = { id: 'order_1', entity: 'order', status: 'paid', amount, currency: 'INR' } as const;
    expect(toOutcome(aPayment({ fee_bearer: 'dynamic' }), order)).toMatchObject({ amount: 10_200 });
  });
});

describe('an amount for Razorpay', () => {
  const EXPONENTS: Readonly<Record<string, number>> = currencies.exponents;
  const inBoth = Object.entries(EXPONENTS).filter(([code]) => CURRENCIES[code] !== undefined);

  it.each(inBoth)('in %s has the documented exponent %i', (code, exponent) => {
    const tenMajor = 10 ** ((CURRENCIES[code] ?? 2) + 1);
    expect(razorpayUnits(tenMajor, code)).toBe(10 ** (exponent + 1));
  });

  it('covers what Razorpay documents, except for currencies that ISO has dropped', () =>
    expect(Object.keys(EXPONENTS).filter((code) => CURRENCIES[code] === undefined)).toEqual(['BGN', 'HRK', 'SLL']));
});
