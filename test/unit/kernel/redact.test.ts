import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/kernel/errors.ts';
import { redact, redactText } from '#shared/kernel/redact.ts';
import { Secret } from '#shared/kernel/secret.ts';

const SECRET = 'N9f3xQz7LkP2vB8sT5wY';

describe('a text in a log', () => {
  it.each([
    ['a service key', `key pfk_live_${SECRET} used`, 'key pfk_[secret] used'],
    ['a secret key', `sk_test_${SECRET}`, 'sk_[secret]'],
    ['a signing secret', `whsec_${SECRET}+/a==`, 'whsec_[secret]'],
    ['a Mollie key', `live_${SECRET}12345`, 'live_[secret]'],
    ['a Flutterwave key', `FLWSECK_TEST-${SECRET}-X`, 'FLWSECK_[secret]'],
    ['a Razorpay key', `rzp_test_${SECRET}`, 'rzp_[secret]'],
    ['an authorization', `Authorization: Bearer ${SECRET}`, 'Authorization: Bearer [secret]'],
    ['a basic authorization', 'basic dXNlcjpwYXNz', 'basic [secret]'],
    ['a JSON web token', `got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${SECRET}`, 'got [secret]'],
    ['a JSON web token behind a dash', `id-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${SECRET}`, 'id-[secret]'],
    ['a JSON web token behind another start of one', `eyJ-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0`, '[secret]'],
    ['a password in a URL', `https://user:${SECRET}@host/x`, 'https://user:[secret]@host/x'],
    ['a token in a query', `https://host/x?login_token=${SECRET}&page=2`, 'https://host/x?login_token=[secret]&page=2'],
    ['a private key', `-----BEGIN PRIVATE KEY-----\n${SECRET}\n-----END PRIVATE KEY-----`, '[secret]'],
    ['a card number', 'card 4242 4242 4242 4242, and 378282246310005.', 'card [card], and [card].'],
    [
      'a card number in full-width digits',
      '𝟒 ü 🂡 ４２４２　４２４２　４２４２　４２４２, 4242\u200b4242\u200b4242\u200b4242 ü',
      '𝟒 ü 🂡 [card], [card] ü',
    ],
    ['a card number in mathematical digits', '𝒳 (𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐𝟒𝟐) 𝒳', '𝒳 ([card]) 𝒳'],
    ['a card number over lines', 'at\n4242\n4242\n4242\n4242\n12/30', 'at\n[card]\n12/30'],
  ])('shows no %s', (_, text, safe) => expect(redactText(text)).toBe(safe));

  it.each([
    'Payment pay_01k1e5v9xhf8n9t3b1m2q4r5s6 succeeded.',
    'key_01k1e5v9xhf8n9t3b1m2q4r5s6',
    '550e8400-e29b-41d4-a716-446655440000',
    'risk_score 5',
    'a test_case',
    '',
  ])('is unchanged: %j', (text) => expect(redactText(text)).toBe(text));

  it('is truncated if it is very long', () => expect(redactText('x'.repeat(10_000)).length).toBeLessThan(4_100));
});

describe('a value in a log', () => {
  it.each([
    'authorization',
    'Authorization',
    'x-service-key',
    'apiKey',
    'secretKey',
    'secret_key',
    'password',
    'credentials',
    'Set-Cookie',
    'token',
    'clientSecret',
    'cvc',
    'webhook_secret',
    'HMAC',
    'apikey',
  ])('hides everything under %s', (name) => {
    expect(redact({ outer: [{ [name]: { deep: SECRET } }] })).toEqual({ outer: [{ [name]: '[redacted]' }] });
  });

  it.each<[string, Record<string, unknown>]>([
    ['ids of keys', { key_id: 'key_1', keyId: 'key_1' }],
    ['plain keys', { route_key: 'GET /x', idempotencyKey: 'order-1' }],
    ['whether a secret exists', { has_token: true, token: null }],
    ['words with the same beginning', { tokenized: 'yes', secretary: 'Ann', keyboard: 'de', monkey: 'x' }],
    ['plain data', { amount: 5_000, ok: false, none: null, list: ['a', 1] }],
  ])('shows %s', (_, value) => expect(redact(value)).toEqual(value));

  it.each<[string, unknown, unknown]>([
    ['a secret', new Secret(SECRET), '[secret]'],
    ['a card number', 4242424242424242, '[card]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), null],
    ['bytes', Buffer.from(SECRET), '[20 bytes]'],
    ['a URL', new URL(`https://user:${SECRET}@host/path?token=${SECRET}`), 'https://host/path'],
    ['a map', new Map([['token', SECRET]]), { token: '[redacted]' }],
    ['a set', new Set([1, `sk_live_${SECRET}`]), [1, 'sk_[secret]']],
    ['a big integer', 12n, '12'],
    ['infinity', Number.POSITIVE_INFINITY, 'Infinity'],
    ['a function', () => SECRET, undefined],
    ['a card number as a key', { '4242424242424242': 1 }, { '[card]': 1 }],
    ['an object with its own toJSON', { toJSON: () => SECRET, n: 1 }, { n: 1 }],
  ])('prints %s', (_, value, printed) => expect(redact(value)).toEqual(printed));

  it('ends at a circular reference, and at great depth', () => {
    const loop: Record<string, unknown> = { n: 1 };
    loop.self = loop;
    let deep: unknown = 1;
    for (let i = 0; i < 10_000; i += 1) deep = [deep];
    expect(redact(loop)).toEqual({ n: 1, self: '[circular]' });
    expect(JSON.stringify(redact(deep))).toBe('[[[[[[[["[deep]"]]]]]]]]');
  });

  it('prints a value twice if it occurs twice', () => {
    const twin = { n: 1 };
    expect(redact([twin, twin])).toEqual([twin, twin]);
  });

  it('prints errors with their causes, redacted', () => {
    const cause = Object.assign(new TypeError(`bad key sk_live_${SECRET}`), {
      code: 'ECONNRESET',
      config: { auth: SECRET },
    });
    const printed = redact({ error: new AppError('internal_error', 'Failed for 4242424242424242.', { cause }) });
    expect(printed).toMatchObject({
      error: {
        name: 'AppError',
        code: 'internal_error',
        message: 'Failed for [card].',
        at: expect.arrayContaining([expect.stringContaining('redact.test.ts')]),
        cause: { name: 'TypeError', code: 'ECONNRESET', message: 'bad key sk_[secret]' },
      },
    });
    expect(JSON.stringify(printed)).not.toContain(SECRET);
  });

  it('prints aggregate errors', () => {
    expect(redact(new AggregateError([new Error('one'), new Error('two')], 'all'))).toMatchObject({
      message: 'all',
      errors: [{ message: 'one' }, { message: 'two' }],
    });
  });

  it('is always JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withDate: true,
          withMap: true,
          withSet: true,
          withBigInt: true,
          withNullPrototype: true,
          withTypedArray: true,
        }),
        (value) => {
          JSON.stringify(redact(value));
        },
      ),
    );
  });
});

describe('a long text that is made to be read again and again', () => {
  // A pattern that restarts at each of these would need hours: the runner would end the test.
  it.each<[string, string]>([
    ['starts of web tokens', '-eyJ'],
    ['starts of web tokens with a dot at the end', '-eyJ'],
    ['starts of private keys', '-----BEGIN '],
    ['private keys without an end', '-----BEGIN PRIVATE KEY-----'],
    ['authorizations of blanks', 'Bearer  '],
    ['starts of passwords in URLs', '//a:'],
    ['words of secrets in a query', '?key'],
    ['starts of live keys', '-live_a'],
    ['digits', '4'],
    ['groups of digits', '4 '],
    ['groups of a card', '4111 '],
  ])('is redacted: %s', (name, part) => {
    const text = part.repeat(2_000_000 / part.length) + (name.endsWith('at the end') ? '.' : '');
    expect(redactText(`sk_live_${SECRET} ${text}`)).toMatch(/^sk_\[secret\] /);
  });
});
