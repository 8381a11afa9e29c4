import { describe, expect, it } from 'vitest';
import { testCard } from '#lib/simulators/paystack/test-methods.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { codeOf } from '#shared/psp/paystack/client.ts';
import { PaystackCredentials } from '#shared/psp/paystack/credentials.schema.ts';
import { toDecline } from '#shared/psp/paystack/declines.catalog.ts';
import { paystackUnits, toOurMoney } from '#shared/psp/paystack/money.rules.ts';
import { toAttemptId, toReference } from '#shared/psp/paystack/requests.rules.ts';

describe('the references at Paystack', () => {
  it('have only characters that Paystack allows, and lead back to the attempt', () => {
    const id = 'att_01jc0000000000000000000001';
    expect(toReference(id)).toMatch(/^[A-Za-z0-9.=-]+$/);
    expect(toAttemptId(toReference(id))).toBe(id);
  });

  it.each(['att-1', 'shop-01jc0000000000000000000001', 'att_01jc0000000000000000000001', ''])(
    'of others lead to no attempt: %s',
    (reference) => {
      expect(toAttemptId(reference)).toBeUndefined();
    },
  );
});

describe('the amounts of Paystack', () => {
  it.each([
    [100, 'NGN', 100],
    [1, 'KES', 1],
    [100, 'XOF', undefined],
    [100, 'JPY', undefined],
    [1000, 'BHD', undefined],
    [0, 'NGN', undefined],
    [-1, 'NGN', undefined],
    [1.5, 'NGN', undefined],
    [100, 'ABC', undefined],
  ])('send %d %s as %s', (amount, currency, units) => {
    expect(paystackUnits(amount, currency)).toBe(units);
  });

  it.each([
    [10_000, 'NGN'],
    ['10000', 'ngn'],
  ])('read the reported amount %j %s', (units, currency) => {
    expect(toOurMoney(units, currency)).toEqual({ amount: 10_000, currency: 'NGN' });
  });

  it.each([
    [undefined, 'NGN'],
    [null, 'NGN'],
    ['', 'NGN'],
    ['10.5', 'NGN'],
    ['1e3', 'NGN'],
    [-1, 'NGN'],
    [Number.NaN, 'NGN'],
    [2 ** 60, 'NGN'],
    [100, undefined],
    [100, ''],
    [100, 'XOF'],
  ])('reject the reported amount %j %j', (units, currency) => {
    expect(() => toOurMoney(units, currency)).toThrow(expect.objectContaining({ name: 'PspOutcomeUnknown' }));
  });
});

describe('the declines in words of a bank', () => {
  it.each([
    ['Insufficient Funds', 'insufficient_funds', 'insufficient_funds'],
    ['Not sufficient funds', 'insufficient_funds', 'insufficient_funds'],
    ['Declined', 'card_declined', 'declined'],
    ['Declined: insufficient funds', 'insufficient_funds', 'insufficient_funds'],
    ['Lost Card, Pick-Up', 'lost_card', 'lost_card'],
    ['Pick up card', 'restricted_card', 'pick_up_card'],
    ['Hot card', 'restricted_card', 'pick_up_card'],
    ['Your card has expired', 'expired_card', 'expired_card'],
    ['Session has timed out', 'expired', 'not_completed'],
    ['Transaction not permitted on terminal', 'method_not_supported', 'not_permitted_here'],
    ['Transaction not permitted to cardholder', 'transaction_not_allowed', 'not_permitted'],
    ['PIN tries exceeded', 'incorrect_pin', 'pin_tries_exceeded'],
    ['Invalid OTP', 'incorrect_pin', 'incorrect_otp'],
    ['Incorrect card number', 'invalid_number', 'invalid_number'],
    ['Invalid card details', 'invalid_payment_method', 'invalid_card'],
    ['Invalid account', 'invalid_account', 'invalid_account'],
    ['Expired', 'expired_card', 'expired'],
    ['Token has expired', 'incorrect_pin', 'incorrect_otp'],
    ['3D Secure authentication is required', 'authentication_required', 'authentication_required'],
    ['Authorization revoked by customer', 'authorization_revoked', 'authorization_revoked'],
    ['Exceeds withdrawal limit', 'limit_exceeded', 'limit_exceeded'],
    ['Restricted card', 'restricted_card', 'restricted_card'],
    ['Refer to card issuer', 'call_issuer', 'refer_to_issuer'],
    ['Transaction timed out', 'processing_error', 'system_malfunction'],
    ['3D Secure authentication failed', 'authentication_failed', 'authentication_failed'],
    ['', 'card_declined', null],
    ['sk_test_secret', 'card_declined', null],
  ])('%s', (gateway_response, code, provider_code) => {
    expect(toDecline({ gateway_response })).toMatchObject({ code, provider_code });
    expect(toDecline({ message: gateway_response })).toMatchObject({ code, provider_code });
  });
});

/** Codes that no bank gives. */
const OURS_ALONE = [
  'authorization_expired',
  'capture_declined',
  'fraud_blocked',
  'provider_unavailable',
  'invalid_configuration',
  'amount_not_supported',
  'method_not_supported',
  'no_route',
  'retry_budget_exhausted',
];

it.each(Object.keys(FAILURES).filter((code) => !OURS_ALONE.includes(code)))(
  'map the reasons of the simulator for %s to that code',
  (code) => {
    expect(toDecline({ gateway_response: testCard(`decline_${code}`)?.reason })).toMatchObject({ code });
  },
);

it.each([
  ['duplicate_reference', 'duplicate_reference'],
  ['invalid_Key', null],
  ['sk_test_7b1f2c', null],
  ['A sentence.', null],
  ['', null],
  [undefined, null],
])('pass on the code %j as %j', (code, expected) => {
  expect(codeOf(code)).toBe(expected);
});

describe('the credentials of Paystack', () => {
  const key = 'sk_test_7b1f2c3d4e5f';
  it.each<[boolean, object]>([
    [true, { secret_key: key }],
    [true, { secret_key: key, public_key: 'pk_live_1', webhook_secret: key }],
    [true, { secret_key: key, webhook_secret: [key, key, key, key, key] }],
    [false, { secret_key: 'pk_test_1' }],
    [false, { secret_key: `${key}\n` }],
    [false, { secret_key: key, webhook_secret: [] }],
    [false, { secret_key: key, webhook_secret: [key, key, key, key, key, key] }],
    [false, { secret_key: key, webhook_secret: 'whsec_1' }],
    [false, { secret_key: key, other: 1 }],
    [false, {}],
  ])('are valid: %s for %j', (good, credentials) => {
    expect(PaystackCredentials.safeParse(credentials).success).toBe(good);
  });
});
