import { describe, expect, it } from 'vitest';
import { mayFailOver } from '#shared/domain/payments/declines.catalog.ts';
import { flutterwave } from '#shared/psp/flutterwave/adapter.ts';
import { declineFromMessage, refusedCharge, toDecline } from '#shared/psp/flutterwave/declines.catalog.ts';
import { majorUnits, toOurMoney } from '#shared/psp/flutterwave/money.rules.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';

describe('the decline reasons of Flutterwave', () => {
  it('are matched quickly, however long they are', () => {
    const begun = performance.now();
    declineFromMessage('token '.repeat(50_000), true);
    toDecline('authenticat'.repeat(50_000));
    expect(performance.now() - begun).toBeLessThan(500);
  });

  it.each([
    ['Insufficient Funds', 'insufficient_funds', 'retry_same_later'],
    ['Do not honour', 'do_not_honor', 'retry_other_psp'],
    ['Lost card, pick up', 'lost_card', 'never'],
    ['Stolen Card', 'stolen_card', 'never'],
    ['Suspected fraud', 'fraud_suspected', 'never'],
    ['Pick-up card', 'restricted_card', 'never'],
    ['Restricted card', 'restricted_card', 'never'],
    ['Expired card', 'expired_card', 'new_method'],
    ['Incorrect PIN', 'incorrect_pin', 'fix_input'],
    ['cannot_verify_pin', 'incorrect_pin', 'fix_input'],
    ['Invalid OTP', 'incorrect_pin', 'fix_input'],
    ['Invalid CVV', 'incorrect_cvc', 'fix_input'],
    ['Address Verification failed', 'card_declined', 'fix_input'],
    ['Invalid card number', 'invalid_number', 'never'],
    ['Closed Account', 'invalid_account', 'never'],
    ['Authentication required', 'authentication_required', 'fix_input'],
    ['3DS authentication failed', 'authentication_failed', 'fix_input'],
    ['exceeds_approval_amount_limit', 'limit_exceeded', 'retry_same_later'],
    ['Transaction not permitted to cardholder', 'transaction_not_allowed', 'new_method'],
    ['Transaction not permitted to terminal', 'method_not_supported', 'retry_other_psp'],
    ['cannot_complete_violation_of_law', 'transaction_not_allowed', 'new_method'],
    ['Issuer or Switch Inoperative', 'issuer_unavailable', 'retry_other_psp'],
    ['acquirer_system_error', 'processing_error', 'retry_other_psp'],
    ['Please try again later', 'try_again_later', 'retry_same_later'],
    ['Transaction timed out', 'expired', 'fix_input'],
    ['Transaction declined', 'card_declined', 'retry_other_psp'],
    ['Something else', 'card_declined', 'retry_same_later'],
    ['Declined for a reason that no list has', 'card_declined', 'retry_same_later'],
    [null, 'card_declined', 'retry_same_later'],
  ])('map "%s" to the code %s and the class %s', (reason, code, retry) => {
    expect(toDecline(reason)).toMatchObject({ code, retry });
  });

  it.each([
    'A server error has occurred. Please try again.',
    'Gateway timeout',
    'No message',
    'no_reason_to_decline',
    'partial_approval',
    'Approved by Financial Institution',
    'Transaction in progress',
    'Pending validation',
    'No response from the processor',
  ])('leave a charge undecided that the bank may have approved: "%s"', (reason) =>
    expect(toDecline(reason)).toBe('undecided'),
  );

  it.each([
    ['Do not honour, suspected fraud', 'fraud_suspected'],
    ['Do not honour - lost card', 'lost_card'],
    ['Issuer or switch inoperative; duplicate transaction', 'card_declined'],
    ['Transaction declined. Do not try again', 'card_declined'],
    ['Acceptor Contact Acquirer, Security', 'fraud_suspected'],
    ['SECURITY_VIOLATION', 'fraud_suspected'],
    ['Pick up card, fraud', 'fraud_suspected'],
    ['Hot card, retain', 'fraud_suspected'],
    ['Oops! Duplicate transaction reference. Please check and try again', 'card_declined'],
    ['Declined, ask Kim', 'card_declined'],
    ['System error 4711 of the core bank', 'card_declined'],
    ['[MpesaCB - ]System internal error.', 'processing_error'],
  ])('keep a charge here that is refused with "%s"', (reason, code) => {
    const decline = toDecline(reason);
    expect(decline).toMatchObject({ code });
    expect(decline !== UNDECIDED && mayFailOver(decline)).toBe(false);
  });

  it.each([
    'do_not_honor',
    'Do not honor',
    'DO NOT HONOUR',
    'Transaction declined',
    'Declined',
    'Declined by issuer',
    'issuer_unavailable',
    'Issuer or Switch Inoperative',
    'ACQUIRER_SYSTEM_ERROR',
    'Unable to route transaction',
    'Inactive merchant',
  ])('let a charge go elsewhere that is refused harmlessly: "%s"', (reason) => {
    const decline = toDecline(reason);
    expect(decline !== UNDECIDED && mayFailOver(decline)).toBe(true);
  });

  it.each([
    ['Transaction has been flagged as fraudulent', 'fraud_suspected', 'never'],
    ['Insufficient funds', 'insufficient_funds', 'retry_same_later'],
    ['Card restricted by the bank', 'restricted_card', 'never'],
    ['The bank says something new', 'card_declined', 'retry_same_later'],
    ['', 'card_declined', 'retry_same_later'],
  ])('count for a charge that is refused with "%s" and shown nowhere', (message, code, retry) =>
    expect(refusedCharge(400, message, false)).toMatchObject({ code, retry }),
  );

  it.each([
    [400, 'country is required'],
    [400, 'tx_ref must be a string'],
    [400, 'Invalid request body'],
    [400, 'Merchant is suspended'],
    [404, 'Cannot POST /v3/charge'],
    [422, 'amount must be a number'],
  ])('do not count for a request that is refused with %i "%s"', (status, message) =>
    expect(refusedCharge(status, message, false)).toBeUndefined(),
  );

  it('are passed on only if they look like a code, or by our name', () => {
    expect(toDecline('Insufficient funds of kim@example.com')).toMatchObject({ provider_code: 'insufficient_funds' });
    expect(toDecline('blocked for kim@example.com')).toMatchObject({ provider_code: 'restricted_card' });
    expect(toDecline('Ask Kim Doe')).toMatchObject({ provider_code: null });
    expect(toDecline('a_new_code')).toMatchObject({ provider_code: 'a_new_code' });
  });
});

describe('the amounts of Flutterwave', () => {
  it('are the same number of minor units in both directions', () => {
    for (const amount of [1, 7, 10, 29, 57, 1099, 1_149, 4_035, 99_999, 8_100_101, 99_999_999_999]) {
      for (const currency of ['NGN', 'UGX', 'EUR', 'XOF', 'JPY']) {
        const sent: unknown = JSON.parse(JSON.stringify({ amount: majorUnits(amount, currency) })).amount;
        expect(toOurMoney(Number(sent), currency)).toEqual({ amount, currency });
      }
    }
  });

  it.each([[1.001], ['1,5'], ['-1'], [1e21], [Number.NaN], [null], [undefined], ['']])(
    'reject the reported amount %s',
    (reported) => {
      expect(() => toOurMoney(reported, 'NGN')).toThrow(expect.objectContaining({ name: 'PspOutcomeUnknown' }));
    },
  );
});

describe('the credentials of Flutterwave', () => {
  const GOOD = { secret_key: 'FLWSECK_TEST-0123456789abcdef-X', webhook_secret: 'any text, as the merchant chose it' };
  it.each<[string, object, string | null]>([
    ['of a test account', {}, null],
    ['of a live account', { secret_key: 'FLWSECK-0123456789abcdef-X' }, null],
    ['with all keys', { public_key: 'FLWPUBK_TEST-0123-X', encryption_key: 'FLWSECK_TEST12345678' }, null],
    ['with several hashes', { webhook_secret: ['one', 'two'] }, null],
    ['with a public key for the secret one', { secret_key: 'FLWPUBK_TEST-0123-X' }, 'secret_key'],
    ['without a hash', { webhook_secret: '' }, 'webhook_secret'],
    ['with no hash in the list', { webhook_secret: [] }, 'webhook_secret'],
    ['with too many hashes', { webhook_secret: ['1', '2', '3', '4', '5', '6'] }, 'webhook_secret'],
    ['with a hash that no header carries', { webhook_secret: 'a\nb' }, 'webhook_secret'],
    ['with a field of another name', { secret_hash: 'x' }, ''],
  ])('%s', (_, change, fault) => {
    const parsed = flutterwave.parseCredentials({ ...GOOD, ...change });
    expect(parsed.ok ? null : parsed.faults[0]?.path).toBe(fault);
  });
});
