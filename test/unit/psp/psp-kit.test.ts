import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { COUNTRIES } from '#shared/domain/reference/countries.catalog.ts';
import { CURRENCIES, isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import { PspNotSent } from '#shared/ports/psp.port.ts';
import { adviceCode, mastercardAdvice, UNKNOWN_ADVICE, withAdvice } from '#shared/psp/kit/declines.ts';
import { makePspTransport } from '#shared/psp/kit/http.ts';
import { parseDecimal, rescale, toDecimal } from '#shared/psp/kit/money.ts';
import { formBody } from '#shared/psp/kit/requests.ts';
import { hmacHex } from '#shared/psp/kit/webhooks.ts';
import { PROVIDERS, PSPS, providerOf, pspBaseUrls } from '#shared/psp/providers.ts';

describe('advice of the schemes', () => {
  it.each(['03', '3', 3, ' 03', 'MAC03', 'mac 03', '03 : Do not try again', '3: no'])('reads %j as 03', (given) => {
    expect(adviceCode(given)).toBe('03');
    expect(mastercardAdvice(given)).toBe('never');
  });

  it.each([null, undefined, '', ' ', {}, [], true])('takes %j for no advice', (given) =>
    expect(mastercardAdvice(given)).toBeUndefined(),
  );

  it.each(['77', 'new', 303, '0303'])('keeps a charge here for %j, which is on no list', (given) => {
    expect(mastercardAdvice(given)).toBe(UNKNOWN_ADVICE);
    const retryOf = (code: 'card_declined' | 'incorrect_cvc' | 'stolen_card' | 'insufficient_funds') =>
      withAdvice(declineOf(code), UNKNOWN_ADVICE).retry;
    expect(retryOf('card_declined')).toBe('retry_same_later');
    expect(retryOf('incorrect_cvc')).toBe('fix_input');
    expect(retryOf('insufficient_funds')).toBe('retry_same_later');
    expect(retryOf('stolen_card')).toBe('never');
  });
});

describe('the ISO catalogues', () => {
  it('have the currencies of ISO 4217 with their decimals', () => {
    expect(Object.keys(CURRENCIES)).toHaveLength(165);
    expect([CURRENCIES.EUR, CURRENCIES.JPY, CURRENCIES.KWD, CURRENCIES.CLF, CURRENCIES.UGX, CURRENCIES.MGA]).toEqual([
      2, 0, 3, 4, 0, 2,
    ]);
    expect([isCurrency('XCG'), isCurrency('HRK'), isCurrency('eur'), isCurrency('toString')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('have the 249 countries of ISO 3166-1', () => {
    expect(COUNTRIES.size).toBe(249);
    expect([...COUNTRIES].every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
    expect([COUNTRIES.has('GB'), COUNTRIES.has('UK'), COUNTRIES.has('XK')]).toEqual([true, false, false]);
  });
});

describe('toDecimal and parseDecimal', () => {
  it.each<[number, string, number | undefined, string | undefined]>([
    [1050, 'EUR', undefined, '10.50'],
    [5, 'EUR', undefined, '0.05'],
    [500, 'JPY', undefined, '500'],
    [500, 'JPY', 2, '500.00'],
    [5120, 'KWD', undefined, '5.120'],
    [100, 'HUF', 0, '1'],
    [150, 'HUF', 0, undefined],
    [-1, 'EUR', undefined, undefined],
  ])('write %d %s with %s decimals as %s', (amount, currency, places, text) => {
    expect(toDecimal(amount, currency, places)).toBe(text);
  });

  it.each<[string, string, number | undefined]>([
    ['10.50', 'EUR', 1050],
    ['10.5', 'EUR', 1050],
    ['10.500', 'EUR', 1050],
    ['10.505', 'EUR', undefined],
    ['500', 'JPY', 500],
    ['500.00', 'JPY', 500],
    ['500.50', 'JPY', undefined],
    ['1e3', 'EUR', undefined],
    ['-1.00', 'EUR', undefined],
    [' 1', 'EUR', undefined],
    ['', 'EUR', undefined],
  ])('read %j %s as %s', (text, currency, amount) => {
    expect(parseDecimal(text, currency)).toBe(amount);
  });

  it('return every amount as it was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(CURRENCIES)), fc.nat(1_000_000_000), (currency, amount) => {
        expect(parseDecimal(toDecimal(amount, currency) ?? '', currency)).toBe(amount);
      }),
    );
  });

  it('never round', () => {
    expect([rescale(101, 2, 0), rescale(Number.MAX_SAFE_INTEGER, 0, 2), rescale(0.5, 0, 2)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('form', () => {
  it.each<[string, Parameters<typeof formBody>[0], string]>([
    ['nests with brackets', { a: { b: 'c', d: { e: 1 } } }, 'a[b]=c&a[d][e]=1'],
    ['counts lists', { a: ['x', { b: true }] }, 'a[0]=x&a[1][b]=true'],
    ['leaves out what is not there, and keeps what is empty', { a: undefined, b: null, c: '', d: 0 }, 'c=&d=0'],
    ['can carry any text', { 'a b': 'ü&=+ [x]' }, 'a%20b=%C3%BC%26%3D%2B%20%5Bx%5D'],
  ])('%s', (_, values, text) => {
    expect(formBody(values)).toBe(text);
  });
});

describe('hmacHex', () => {
  it('returns the digest of RFC 4231', () => {
    const digest = hmacHex('sha256', 'Jefe', 'what do ya want ', Buffer.from('for nothing?'));
    expect(digest).toBe('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843');
    expect([
      timingSafeEqual(digest, digest),
      timingSafeEqual(digest, digest.slice(1)),
      timingSafeEqual(digest, digest.toUpperCase()),
    ]).toEqual([true, false, false]);
  });
});

describe('the base URL of a PSP', () => {
  it('is its own over TLS, unless the host overrides it', () => {
    for (const mode of ['sandbox', 'live'] as const)
      for (const provider of PROVIDERS) expect(pspBaseUrls(mode)(provider)).toMatch(/^https:\/\//);
    const local = pspBaseUrls('sandbox', (provider) =>
      provider === 'stripe' ? 'http://127.0.0.1:4003/stripe' : undefined,
    );
    expect([local('stripe'), local('paypal')]).toEqual([
      'http://127.0.0.1:4003/stripe',
      'https://api-m.sandbox.paypal.com',
    ]);
  });

  it.each([undefined, '', 'evil.example/', 'a.b', 'A'])('is not built from the host prefix %j', async (hostPrefix) => {
    const { send } = makePspTransport({ baseUrls: pspBaseUrls('live') });
    const request = { operation: 'ping', method: 'GET', path: '/', headers: {}, paymentId: null, hostPrefix } as const;
    await expect(send('checkout', request, { total: 1_000, remaining: () => 1_000 })).rejects.toBeInstanceOf(
      PspNotSent,
    );
  });
});

it('registers each adapter under its own name', async () => {
  for (const [name, psp] of Object.entries(PSPS))
    expect([psp.provider, (await psp.load()).provider]).toEqual([name, name]);
  expect(providerOf('stripe')?.capabilities.methods).toContain('card');
});

it('says of a PSP that it lists refunds exactly if its adapter does', async () => {
  for (const psp of Object.values(PSPS))
    expect([psp.provider, psp.hasRefundList === true]).toEqual([psp.provider, 'listRefunds' in (await psp.load())]);
});
