import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { checkout } from '#shared/psp/checkout/adapter.ts';
import { ERROR_CODES, REASONS, readDecline, requestDecline } from '#shared/psp/checkout/declines.catalog.ts';
import { checkoutUnits, toOurMoney } from '#shared/psp/checkout/money.rules.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';
import { inCi, specsThere } from '#test/contract/openapi-check.ts';

describe('the declines of Checkout.com', () => {
  it.each<[string, string | null, string | null, object]>([
    [
      'follow the response code',
      '20051',
      null,
      { code: 'insufficient_funds', retry: 'retry_same_later', provider_code: '20051' },
    ],
    [
      'follow the range of an unknown code',
      '40999',
      null,
      { code: 'fraud_suspected', retry: 'never', provider_code: '40999' },
    ],
    [
      'is a plain one that stays, where even the range is new',
      '60000',
      null,
      { code: 'card_declined', retry: 'retry_same_later', provider_code: '60000' },
    ],
    ['is a plain one without a code', null, null, { code: 'card_declined', provider_code: null }],
    ['follows "do not try again"', '20005', '03', { code: 'do_not_honor', retry: 'never' }],
    ['follows "try again later"', '20005', '24', { code: 'do_not_honor', retry: 'retry_same_later' }],
    ['is not widened by advice', '30041', '02', { code: 'lost_card', retry: 'never' }],
    ['stays with advice we do not know', '20005', '99', { code: 'do_not_honor', retry: 'retry_same_later' }],
    ['passes on no text that is no code', 'Quotes 4242', null, { code: 'card_declined', provider_code: null }],
  ])('%s', (_, code, advice, expected) => {
    expect(readDecline({ code, networkAdvice: advice })).toMatchObject(expected);
  });

  it('never allow a retry where the catalogue says never', () => {
    for (const reason of Object.keys(REASONS)) {
      const decline = readDecline({ code: reason });
      if (decline !== UNDECIDED && FAILURES[decline.code].retry === 'never')
        expect([reason, decline.retry]).toEqual([reason, 'never']);
    }
  });

  const maps = new URL('../../../../shared/psp-specs/psp-maps.json', import.meta.url);
  /** Ours is narrower on purpose: a wrong number is never approved as it is. */
  const NARROWER: Record<string, string> = { '20014': 'never' };
  it.runIf(specsThere || inCi)('have the documented class of every code (needs ../shared/psp-specs)', () => {
    const codes: Record<string, string> = JSON.parse(readFileSync(maps, 'utf8')).decline_classes.checkout.codes;
    const classOf = (code: string) => {
      const decline = readDecline({ code });
      return decline === UNDECIDED ? UNDECIDED : decline.retry;
    };
    const mine = Object.keys(codes).map((code) => [code, classOf(code)]);
    expect(mine).toEqual(
      Object.entries(codes).map(([code, retry]) => [code, NARROWER[code] ?? retry.replace(/ \(.*/, '')]),
    );
  });

  it('decline the method for its code, also among other codes', () => {
    const declines = Object.keys(ERROR_CODES).filter((code) => typeof requestDecline(422, [code]) === 'object');
    expect(declines.length).toBeGreaterThan(40);
    for (const code of declines)
      expect(requestDecline(422, ['request_invalid', code, 'processing_error'])).toMatchObject({ provider_code: code });
    expect([requestDecline(422, []), requestDecline(422, ['constructor', 'reference_invalid'])]).toEqual([
      undefined,
      undefined,
    ]);
    expect(requestDecline(403, ['token_invalid'])).toBeUndefined();
    expect(requestDecline(422, ['processing_error', 'processing_error'])).toBe(UNDECIDED);
    expect(requestDecline(422, ['currency_required', 'processing_error'])).toBeUndefined();
  });
});

describe('the amounts of Checkout.com', () => {
  it('return as they were sent, or are not sent at all', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(CURRENCIES)),
        fc.integer({ min: 1, max: 2_000_000_000 }),
        (currency, amount) => {
          const units = checkoutUnits(amount, currency);
          if (units !== undefined) expect(toOurMoney(units, currency)).toEqual({ amount, currency });
        },
      ),
    );
  });

  it.each([
    [5, 'ISK', 5],
    [5, 'UGX', 5],
    [5, 'CLP', 500],
    [9_999_999, 'CLP', 999_999_900],
    [10_000_000, 'CLP', undefined],
    [5120, 'BHD', 5120],
    [5121, 'BHD', undefined],
    [999_999_999, 'EUR', 999_999_999],
    [1_000_000_000, 'EUR', undefined],
    [5, 'UYI', undefined],
    [500, 'UYW', undefined],
    [0, 'EUR', undefined],
    [-1, 'EUR', undefined],
    [1.5, 'EUR', undefined],
    [1, 'eur', undefined],
    [1, 'constructor', undefined],
  ])('send %d %s as %s', (amount, currency, units) => {
    expect(checkoutUnits(amount, currency)).toBe(units);
  });

  it('never round a reported amount', () => {
    expect(() => toOurMoney(550, 'CLP')).toThrow(expect.objectContaining({ name: 'PspOutcomeUnknown' }));
  });
});

describe('credentials of Checkout.com', () => {
  const good = {
    secret_key: `sk_sbox_${'a'.repeat(27)}`,
    processing_channel_id: 'pc_hpswyyx23geezflc2ocz3exn4y',
    host_prefix: 'demo1234',
    webhook_secret: 'fa2db8d8-0d4f-4f2e-9f4e-8a4b7f6c1d20',
  };
  it.each<[string, object]>([
    ['those of the sandbox', good],
    ['a live key, with the signs it may end in', { ...good, secret_key: `sk_${'a'.repeat(26)}#` }],
    ['two signature keys', { ...good, webhook_secret: ['old-key-1', 'new-key-2'] }],
    ['everything', { ...good, default_country: 'DE', statement_city: 'Sao Paulo' }],
  ])('accept %s', (_, credentials) => {
    expect(checkout.parseCredentials(credentials)).toMatchObject({ ok: true, credentials });
  });

  it.each<[string, object, string]>([
    ['a public key in its place', { ...good, secret_key: 'pk_sbox_CANARYCANARYCANARYCANARY' }, 'secret_key'],
    [
      'a key of the old accounts',
      { ...good, secret_key: 'sk_test_CANARY12-1234-1234-1234-123456789012' },
      'secret_key',
    ],
    ['a line break', { ...good, secret_key: `${good.secret_key}\n` }, 'secret_key'],
    ['no processing channel', { ...good, processing_channel_id: undefined }, 'processing_channel_id'],
    ['another host', { ...good, host_prefix: 'CANARY.example/' }, 'host_prefix'],
    ['a dot in the host', { ...good, host_prefix: 'evil.example' }, 'host_prefix'],
    ['an empty list', { ...good, webhook_secret: [] }, 'webhook_secret'],
    ['a short signature key', { ...good, webhook_secret: ['CANARY'] }, 'webhook_secret'],
    ['a field more', { ...good, CANARY: 'CANARY' }, ''],
    ['a country that is none', { ...good, default_country: 'CANARY' }, 'default_country'],
    ['a city that is too long', { ...good, statement_city: 'CANARYCANARY 1' }, 'statement_city'],
    ['a city with a sign', { ...good, statement_city: 'CANARY#' }, 'statement_city'],
  ])('reject %s without repeating it', (_, credentials, path) => {
    const result = checkout.parseCredentials(credentials);
    expect(result).toMatchObject({ ok: false, faults: [{ path: expect.stringContaining(path) }] });
    expect(JSON.stringify(result)).not.toContain('CANARY');
  });
});
