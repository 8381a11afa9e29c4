import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';
import { stripe } from '#shared/psp/stripe/adapter.ts';
import { REASONS, toDecline } from '#shared/psp/stripe/declines.catalog.ts';
import { stripeUnits, toOurMoney } from '#shared/psp/stripe/money.rules.ts';
import { toNextAction, toOutcome, toRefundOutcome } from '#shared/psp/stripe/outcomes.rules.ts';
import type { PaymentIntent, StripeError } from '#shared/psp/stripe/schema.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';

const anIntent = (fields: Partial<PaymentIntent>): PaymentIntent => ({
  id: 'pi_1',
  object: 'payment_intent',
  status: 'processing',
  currency: 'eur',
  ...fields,
});
const fault = (fields: Partial<StripeError>): StripeError => ({ type: 'card_error', ...fields });

describe('toOutcome of Stripe', () => {
  it.each<[string, Partial<PaymentIntent>, object]>([
    ['succeeded', { amount_received: 1099 }, { kind: 'succeeded', reference: 'pi_1', amount: 1099, currency: 'EUR' }],
    [
      'requires_payment_method',
      { last_payment_error: fault({ decline_code: 'lost_card' }) },
      { kind: 'declined', reference: 'pi_1', decline: { code: 'lost_card' } },
    ],
    ['requires_payment_method', {}, { kind: 'processing', reference: 'pi_1' }],
    ['requires_confirmation', {}, { kind: 'processing', reference: 'pi_1' }],
    [
      'requires_action',
      { next_action: { type: 'blik_authorize' } },
      { kind: 'requires_action', reference: 'pi_1', action: { type: 'await' } },
    ],
    ['processing', {}, { kind: 'processing', reference: 'pi_1' }],
    ['requires_capture', {}, { kind: 'processing', reference: 'pi_1' }],
    ['canceled', {}, { kind: 'canceled', reference: 'pi_1' }],
    ['a_status_of_the_future', {}, { kind: 'processing', reference: 'pi_1' }],
  ])('maps %s with %j', (status, fields, expected) => {
    expect(toOutcome(anIntent({ status, ...fields }))).toMatchObject(expected);
  });

  it.each([null, undefined])('does not report success without an amount (%s)', (amount_received) => {
    expect(() => toOutcome(anIntent({ status: 'succeeded', amount_received }))).toThrow(
      expect.objectContaining({ name: 'PspOutcomeUnknown' }),
    );
  });
});

describe('toRefundOutcome of Stripe', () => {
  it.each([
    ['succeeded', 'succeeded'],
    ['pending', 'accepted'],
    ['requires_action', 'accepted'],
    [null, 'accepted'],
    ['a_status_of_the_future', 'accepted'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])('maps the refund status %s to %s', (status, kind) => {
    expect(toRefundOutcome({ id: 're_1', object: 'refund', status, amount: 1, currency: 'eur' })).toMatchObject({
      kind,
      reference: 're_1',
    });
  });
});

describe('toRefundOutcome of Stripe for a failed refund', () => {
  const outcome = (change: object) =>
    toRefundOutcome({ id: 're_1', object: 'refund', status: 'failed', amount: 1, currency: 'eur', ...change });
  it.each([
    ['lost_or_stolen_card', 'invalid_account'],
    ['charge_for_pending_refund_disputed', 'charge_disputed'],
    ['insufficient_funds', 'insufficient_balance'],
    ['declined', 'refund_declined'],
    ['a_reason_of_the_future', 'refund_declined'],
  ])('maps the failure reason %s', (failure_reason, code) =>
    expect(outcome({ failure_reason })).toEqual({
      kind: 'failed',
      reference: 're_1',
      decline: { code, provider_code: failure_reason },
    }),
  );

  it('passes on no sentence of Stripe', () =>
    expect(outcome({ failure_reason: 'Card 4242 was lost' })).toMatchObject({
      decline: { code: 'refund_declined', provider_code: null },
    }));

  it('reports a canceled refund without a reason as canceled', () =>
    expect(outcome({ status: 'canceled' })).toMatchObject({ decline: { code: 'refund_canceled' } }));
});

describe('the declines of Stripe', () => {
  it.each<[string, Partial<StripeError>, object]>([
    [
      'follow the decline code',
      { code: 'card_declined', decline_code: 'insufficient_funds' },
      { code: 'insufficient_funds', retry: 'retry_same_later' },
    ],
    [
      'follow the code where there is no decline code',
      { code: 'expired_card' },
      { code: 'expired_card', retry: 'new_method' },
    ],
    [
      'stays at Stripe where the issuer says something new',
      { code: 'card_declined', decline_code: 'moon' },
      { code: 'card_declined', retry: 'retry_same_later', provider_code: 'moon' },
    ],
    [
      'stays at Stripe where a provider of a method says something new',
      { code: 'payment_method_provider_decline', decline_code: 'moon' },
      { code: 'card_declined', retry: 'retry_same_later', provider_code: 'moon' },
    ],
    [
      'stays at Stripe for an unknown code that looks technical',
      { type: 'api_error', code: 'moon' },
      { code: 'card_declined', retry: 'retry_same_later', provider_code: 'moon' },
    ],
    ['stays at Stripe without any code', {}, { code: 'card_declined', retry: 'retry_same_later', provider_code: null }],
    [
      'follows the code where the decline code is new',
      { code: 'expired_card', decline_code: 'moon' },
      { code: 'expired_card', retry: 'new_method', provider_code: 'moon' },
    ],
    [
      'follows a code that says "processing error" where the decline code is new',
      { code: 'processing_error', decline_code: 'moon' },
      { code: 'processing_error', retry: 'retry_other_psp' },
    ],
    [
      'goes elsewhere on a code that only says "declined", with nothing beside it',
      { code: 'card_declined' },
      { code: 'card_declined', retry: 'retry_other_psp' },
    ],
    [
      'goes elsewhere on the generic decline of a provider of a method',
      { code: 'payment_method_provider_decline', decline_code: 'partner_generic_decline' },
      { code: 'card_declined', retry: 'retry_other_psp' },
    ],
    [
      'never tries again after the deprecated "do not try again"',
      { code: 'card_declined', decline_code: 'do_not_try_again' },
      { code: 'card_declined', retry: 'never' },
    ],
    [
      "follows Mastercard's advice 03",
      { decline_code: 'do_not_honor', network_advice_code: '03' },
      { code: 'do_not_honor', retry: 'never' },
    ],
    [
      "follows Mastercard's advice 01",
      { decline_code: 'generic_decline', network_advice_code: '01' },
      { code: 'card_declined', retry: 'fix_input' },
    ],
    [
      "follows the network's never against Stripe's later",
      { decline_code: 'generic_decline', advice_code: 'try_again_later', network_advice_code: '21' },
      { code: 'card_declined', retry: 'never' },
    ],
    [
      "follows Stripe's never against the network's later",
      { decline_code: 'generic_decline', advice_code: 'do_not_try_again', network_advice_code: '02' },
      { code: 'card_declined', retry: 'never' },
    ],
    [
      'never tries a Visa card again that its issuer will never approve',
      { decline_code: 'generic_decline', network_decline_code: 'R1', payment_method: { card: { brand: 'visa' } } },
      { code: 'card_declined', retry: 'never' },
    ],
    [
      'has no such rule for other brands',
      { decline_code: 'generic_decline', network_decline_code: '12', payment_method: { card: { brand: 'amex' } } },
      { code: 'card_declined', retry: 'retry_other_psp' },
    ],
    [
      'follows "do not try again"',
      { decline_code: 'do_not_honor', advice_code: 'do_not_try_again' },
      { code: 'do_not_honor', retry: 'never' },
    ],
    [
      'follows "try again later"',
      { decline_code: 'do_not_honor', advice_code: 'try_again_later' },
      { code: 'do_not_honor', retry: 'retry_same_later' },
    ],
    [
      'stays never for a lost card, whatever the advice is',
      { decline_code: 'lost_card', advice_code: 'try_again_later' },
      { code: 'lost_card', retry: 'never' },
    ],
    [
      'follows "confirm card data"',
      { decline_code: 'generic_decline', advice_code: 'confirm_card_data' },
      { code: 'card_declined', retry: 'fix_input' },
    ],
    [
      'keeps its class with advice we do not know',
      { decline_code: 'lost_card', advice_code: 'moon' },
      { code: 'lost_card', retry: 'never' },
    ],
    [
      'of a failed authentication',
      { type: 'invalid_request_error', code: 'payment_intent_authentication_failure' },
      { code: 'authentication_failed' },
    ],
    [
      'passes on no text that is no code',
      { decline_code: 'Quotes 4242 4242' },
      { code: 'card_declined', provider_code: null },
    ],
    [
      'is not fooled by a name that every object has',
      { decline_code: 'constructor' },
      { code: 'card_declined', provider_code: 'constructor' },
    ],
  ])('%s', (_, fields, expected) => {
    expect(toDecline(fault(fields))).toMatchObject(expected);
  });

  it('never allow a retry where the catalogue says never', () => {
    for (const reason of Object.keys(REASONS)) {
      const decline = toDecline(fault({ decline_code: reason }));
      if (decline !== UNDECIDED && FAILURES[decline.code].retry === 'never')
        expect([reason, decline.retry]).toEqual([reason, 'never']);
    }
  });

  it('leave a code open that says nothing about the charge', () =>
    expect(toDecline(fault({ code: 'idempotency_key_in_use' }))).toBe(UNDECIDED));

  const maps = new URL('../../../../shared/psp-specs/psp-maps.json', import.meta.url);
  /**
   * Ours is narrower on purpose: a wrong number is never approved as it is, after a duplicate no other PSP may be
   * tried, and anybody may type a test card.
   */
  const NARROWER: Record<string, string> = {
    incorrect_number: 'never',
    invalid_number: 'never',
    duplicate_transaction: 'fix_input',
    testmode_decline: 'new_method',
  };
  it.runIf(specsThere || inCi)('have the documented class of every reason (needs ../shared/psp-specs)', () => {
    const codes: Record<string, string> = JSON.parse(readFileSync(maps, 'utf8')).decline_classes.stripe.codes;
    const mine = Object.keys(codes).map((reason) => {
      const decline = toDecline(fault({ decline_code: reason }));
      return [reason, decline === UNDECIDED ? UNDECIDED : decline.retry];
    });
    expect(mine).toEqual(
      Object.entries(codes).map(([reason, retry]) => [reason, NARROWER[reason] ?? retry.replace(' (once)', '')]),
    );
  });
});

describe('toNextAction of Stripe', () => {
  const url = 'https://pay.example/1';
  it.each<[string, PaymentIntent['next_action'], object]>([
    [
      'to a page',
      { type: 'redirect_to_url', redirect_to_url: { url } },
      { action: { type: 'redirect', url, method: 'GET' } },
    ],
    [
      'to a wallet',
      { type: 'alipay_handle_redirect', alipay_handle_redirect: { url, native_url: null } },
      { action: { type: 'redirect', url, method: 'GET' } },
    ],
    [
      'to a voucher',
      {
        type: 'oxxo_display_details',
        oxxo_display_details: { number: '123', expires_after: 1_767_225_600, hosted_voucher_url: url },
      },
      {
        action: { type: 'display', kind: 'oxxo_display_details', number: '123', hosted_voucher_url: url },
        expires_at: '2026-01-01T00:00:00.000Z',
      },
    ],
    [
      'in an app',
      { type: 'card_await_notification', card_await_notification: { charge_attempt_at: 1 } },
      { action: { type: 'await' } },
    ],
    [
      "in Stripe's library",
      { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } },
      {
        action: {
          type: 'sdk',
          provider: 'stripe',
          data: { payment_intent: 'pi_1', client_secret: 'pi_1_secret_2', publishable_key: 'pk_test_1' },
        },
      },
    ],
    ['of the future', { type: 'dance' }, { action: { type: 'sdk', provider: 'stripe' } }],
    ['that is not named', null, { action: { type: 'sdk', provider: 'stripe' } }],
  ])('%s', (_, next_action, expected) => {
    expect(toNextAction(anIntent({ next_action, client_secret: 'pi_1_secret_2' }), 'pk_test_1')).toMatchObject(
      expected,
    );
  });
});

describe('an amount', () => {
  it('returns as it was sent, or is not sent at all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(CURRENCIES)),
        fc.integer({ min: 1, max: 2_000_000_000 }),
        (currency, amount) => {
          const units = stripeUnits(amount, currency);
          if (units !== undefined) expect(toOurMoney(units, currency.toLowerCase())).toEqual({ amount, currency });
        },
      ),
    );
  });

  it.each([
    [5, 'ISK', 500],
    [5000, 'UGX', 500_000],
    [5, 'CLP', 5],
    [5, 'XOF', 5],
    [1_500_000, 'JPY', 1_500_000],
    [1250, 'HUF', 1250],
    [1250, 'TWD', 1250],
    [500, 'MGA', 5],
    [501, 'MGA', undefined],
    [5120, 'BHD', 5120],
    [5121, 'BHD', undefined],
    [100_000_000, 'EUR', 100_000_000],
    [150_000_000, 'IDR', 150_000_000],
    [150_000_000, 'JPY', 150_000_000],
    [1_000_000, 'ISK', 100_000_000],
    [999_999_999_999, 'EUR', 999_999_999_999],
    [1_000_000_000_000, 'EUR', undefined],
    [9_999_999_999, 'ISK', 999_999_999_900],
    [10_000_000_000, 'ISK', undefined],
    [0, 'EUR', undefined],
    [-1, 'EUR', undefined],
    [1.5, 'EUR', undefined],
    [1, 'eur', undefined],
    [1, 'constructor', undefined],
  ])('of %d %s is %s to Stripe', (amount, currency, units) => {
    expect(stripeUnits(amount, currency)).toBe(units);
  });

  it.each<[number, string, string, boolean]>([
    [99_999_999, 'EUR', 'sepa_debit', true],
    [100_000_000, 'EUR', 'sepa_debit', false],
    [100_000_000, 'EUR', 'card', true],
    [100_000_000, 'EUR', 'wallet', true],
    [999_999_999_999, 'IDR', 'alipay', true],
    [9_999_999_999, 'COP', 'klarna', true],
    [10_000_000_000, 'COP', 'klarna', false],
    [999_999_999, 'INR', 'klarna', true],
    [1_000_000_000, 'INR', 'klarna', false],
    [999_999, 'UGX', 'klarna', true],
    [1_000_000, 'UGX', 'klarna', false],
  ])('of %d %s by %s is taken: %s', (amount, currency, method, expected) => {
    expect(stripe.supportsAmount(amount, currency, false, method)).toBe(expected);
  });

  /** Stripe's page of currencies (2026-11): what has no decimals there, what has three, and its two special cases. */
  const NONE = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
  const THREE = 'BHD JOD KWD OMR TND'.split(' ');
  const exponentOf = (code: string): number => {
    if (NONE.includes(code)) return 0;
    return THREE.includes(code) ? 3 : 2;
  };
  it.each(Object.entries(CURRENCIES))('in %s, with %i decimals at ISO, has the exponent of the page', (code, iso) => {
    const tenMajor = 10 ** (iso + 1);
    expect(stripeUnits(tenMajor, code)).toBe(10 ** (exponentOf(code) + 1));
    expect(toOurMoney(10 ** (exponentOf(code) + 1), code.toLowerCase())).toEqual({ amount: tenMajor, currency: code });
  });

  it('is never rounded when Stripe reports a fraction of our unit', () => {
    expect(() => toOurMoney(550, 'isk')).toThrow(expect.objectContaining({ name: 'PspOutcomeUnknown' }));
  });
});

describe('credentials of Stripe', () => {
  const good = { secret_key: 'sk_test_abc', webhook_secret: 'whsec_abc' };
  it.each<[string, object]>([
    ['a secret key', good],
    ['a restricted live key', { ...good, secret_key: 'rk_live_a1_B2' }],
    ['two webhook secrets', { ...good, webhook_secret: ['whsec_old', 'whsec_new'] }],
    ['everything', { ...good, publishable_key: 'pk_test_1', account: 'acct_1' }],
  ])('may be %s', (_, credentials) => {
    expect(stripe.parseCredentials(credentials)).toMatchObject({ ok: true, credentials });
  });

  it.each<[string, object, string]>([
    ['a publishable key in its place', { ...good, secret_key: 'pk_test_CANARY' }, 'secret_key'],
    ['a line break', { ...good, secret_key: 'sk_test_CANARY\n' }, 'secret_key'],
    ['no webhook secret', { secret_key: 'sk_test_CANARY' }, 'webhook_secret'],
    ['an empty list', { ...good, webhook_secret: [] }, 'webhook_secret'],
    ['another form', { ...good, webhook_secret: ['whsec_a', 'CANARY'] }, 'webhook_secret'],
    ['a field more', { ...good, CANARY: 'CANARY' }, ''],
    ['an account that is none', { ...good, account: 'CANARY' }, 'account'],
  ])('are refused for %s, which is not repeated', (_, credentials, path) => {
    const result = stripe.parseCredentials(credentials);
    expect(result).toMatchObject({ ok: false, faults: [{ path: expect.stringContaining(path) }] });
    expect(JSON.stringify(result)).not.toContain('CANARY');
  });
});
