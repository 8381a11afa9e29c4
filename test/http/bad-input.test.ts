import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '#shared/http/route.ts';
import {
  addressOf,
  admission,
  INVALID,
  KB,
  NEVER,
  OURS,
  ofSize,
  pathsIn,
  refused,
  verdict,
} from '#test/http/bad-input.support.ts';
import { rawRequest, startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { type ApiResponse, aPaymentBody, type Body, type CallOptions } from '#test/support/host.ts';

const MUTATING = OURS.filter(({ method }) => method !== 'GET');

let host: WatchedHost;
let admit: (route: Route) => CallOptions;
beforeAll(async () => {
  host = await startWatchedHost();
  admit = await admission(host);
  await host.call('POST', '/v1/payments', aPaymentBody());
});
afterAll(() => host?.close());

const refuses = (send: () => Promise<ApiResponse>) => refused(host, send);
const AS_JSON: CallOptions = {};
const TEXT = { headers: { 'content-type': 'text/plain' } };
const FORM = { headers: { 'content-type': 'application/x-www-form-urlencoded' } };
const TWO_TYPES = { headers: { 'content-type': 'application/json, text/plain' } };
const CARD = '4242424242424242';

const admitted = (route: Route, how: CallOptions): CallOptions => {
  const by = admit(route);
  return { ...by, ...how, headers: { ...by.headers, ...how.headers } };
};

type BadBody = readonly [string, string | Uint8Array, number, string, CallOptions];

/**
 * One of each kind, for every route: they show that the route is behind the common checks, and what its own schema
 * rejects.
 */
const BAD_BODIES: readonly BadBody[] = [
  ['truncated JSON', '{"amount": 1', 400, 'malformed_json', AS_JSON],
  ['text of another type', '{}', 400, 'unsupported_content_type', TEXT],
  ['one byte more than 256 KiB', ofSize(256 * KB + 1), 413, 'body_too_large', AS_JSON],
  ['256 KiB, because of their content', ofSize(256 * KB), 400, 'invalid_request', AS_JSON],
  ['lists in lists, ten thousand deep', '['.repeat(10_000) + ']'.repeat(10_000), 400, 'invalid_request', AS_JSON],
  ['a list', '[]', 400, 'invalid_request', AS_JSON],
  ['null', 'null', 400, 'invalid_request', AS_JSON],
  ['a number', '7', 400, 'invalid_request', AS_JSON],
  ['a card number', `{"colour":"${CARD}"}`, 400, 'raw_card_data', AS_JSON],
];
/** More bodies that are rejected before the route's own schema is checked, so one route is enough. */
const MORE_BAD_BODIES: readonly BadBody[] = [
  ['JSON followed by more', '{} {}', 400, 'malformed_json', AS_JSON],
  ['a raw NUL', '{"colour":"\0"}', 400, 'malformed_json', AS_JSON],
  ['bytes that are not UTF-8', Buffer.from('{"colour":"\xff\xfe"}', 'latin1'), 400, 'malformed_json', AS_JSON],
  ['a form', 'amount=1', 400, 'unsupported_content_type', FORM],
  ['two types at once', '{}', 400, 'unsupported_content_type', TWO_TYPES],
  ['300 KB', ofSize(300 * KB), 413, 'body_too_large', AS_JSON],
  ['300 KB that are not JSON', ' '.repeat(300 * KB), 413, 'body_too_large', AS_JSON],
];

it.each(MORE_BAD_BODIES)('POST /v1/payments rejects %s', async (_, body, status, code, how) => {
  const answer = await refuses(() => host.call('POST', '/v1/payments', body, how));
  expect(verdict(answer)).toEqual([status, 'invalid_request', code]);
});

describe.each(MUTATING)('$method $path', (route) => {
  const send = (body: unknown, how: CallOptions = {}, query = '') =>
    host.call(route.method, addressOf(route) + query, body, admitted(route, how));

  it.each(BAD_BODIES)('rejects %s', async (_, body, status, code, how) => {
    expect(verdict(await refuses(() => send(body, how)))).toEqual([status, 'invalid_request', code]);
  });

  it('rejects a body without a content type', async () => {
    const by = {
      authorization: `Bearer ${host.info.keys.service}`,
      ...admit(route).headers,
      'idempotency-key': randomUUID(),
    };
    const answer = await refuses(() =>
      rawRequest({
        method: route.method,
        url: host.info.api + addressOf(route),
        headers: Object.entries(by),
        body: '{}',
      }),
    );
    expect(verdict(answer)).toEqual([400, 'invalid_request', 'unsupported_content_type']);
  });

  it('reports every unknown field and parameter at once', async () => {
    const answer = await refuses(() =>
      send('{"colour":"red","size":{"of":[1]},"constructor":1,"__proto__":{}}', {}, '?colour=red&size=1&__proto__=1'),
    );
    expect(verdict(answer)).toEqual(INVALID);
    const names = ['colour', 'size', 'constructor', '__proto__', 'query.colour', 'query.size', 'query.__proto__'];
    expect(pathsIn(answer)).toEqual(expect.arrayContaining(names));
  });
});

describe('a payment', () => {
  const create = (body: unknown, how: CallOptions = {}) => host.call('POST', '/v1/payments', body, how);
  const metadata = (json: string) => `{"amount":1,"currency":"EUR","metadata":${json}}`;
  const text = (json: string) => `{"amount":1,"currency":"EUR",${json}}`;
  const method = (more: Body) => aPaymentBody('ok', { payment_method: { type: 'card', ...more } });
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]));

  it.each<readonly [string, unknown, readonly string[]]>([
    ['an empty body', {}, ['amount', 'currency']],
    ['a fractional amount', aPaymentBody('ok', { amount: 10.5 }), ['amount']],
    ['an amount as text', aPaymentBody('ok', { amount: '100' }), ['amount']],
    ['a negative amount', aPaymentBody('ok', { amount: -1 }), ['amount']],
    ['an amount of 0', aPaymentBody('ok', { amount: 0 }), ['amount']],
    ['an amount of true', aPaymentBody('ok', { amount: true }), ['amount']],
    ['an amount of null', aPaymentBody('ok', { amount: null }), ['amount']],
    ['a huge amount', aPaymentBody('ok', { amount: 100_000_000_000 }), ['amount']],
    ['an amount beyond all numbers', '{"amount":1e400,"currency":"EUR"}', ['amount']],
    ['an amount that cannot be represented exactly', '{"amount":90071992547409931,"currency":"EUR"}', ['amount']],
    ['an unknown currency', aPaymentBody('ok', { currency: 'XXX' }), ['currency']],
    ['a currency with a look-alike letter', aPaymentBody('ok', { currency: 'ЕUR' }), ['currency']],
    ['a currency by its number', aPaymentBody('ok', { currency: 978 }), ['currency']],
    ['an unknown country', aPaymentBody('ok', { country: 'XX' }), ['country']],
    ['a country of three letters', aPaymentBody('ok', { country: 'DEU' }), ['country']],
    ['an invalid method', { amount: 1, currency: 'EUR', method: 'Card!' }, ['method']],
    ['two methods', aPaymentBody('ok', { method: 'ideal' }), ['payment_method.type']],
    ['an invalid mail address', aPaymentBody('ok', { customer_email: 'nobody' }), ['customer_email']],
    ['an invalid IP address', aPaymentBody('ok', { customer_ip: '300.1.1.1' }), ['customer_ip']],
    ['an empty customer', aPaymentBody('ok', { customer_id: '' }), ['customer_id']],
    ['a customer of 201 characters', aPaymentBody('ok', { customer_id: 'x'.repeat(201) }), ['customer_id']],
    ['half a surrogate pair', text('"customer_id":"\\ud800","description":"\\udc00!"'), ['customer_id', 'description']],
    ['NUL in a text', text('"customer_id":"\\u0000","description":"a\\u0000b"'), ['customer_id', 'description']],
    [
      'half a surrogate pair in a token',
      text('"payment_method":{"type":"card","token":"\\ud800"}'),
      ['payment_method.token'],
    ],
    [
      'half a surrogate pair in a return URL',
      text('"payment_method":{"type":"card","return_url":"https://shop.example/\\ud800"}'),
      ['payment_method.return_url'],
    ],
    ['a script as return URL', method({ return_url: 'javascript:alert(1)' }), ['payment_method.return_url']],
    ['a token that is a number', method({ token: 7 }), ['payment_method.token']],
    [
      'a token of seventeen fields',
      method({ token: Object.fromEntries(Object.keys(keys(17)).map((key) => [key, 'x'])) }),
      ['payment_method.token'],
    ],
    ['a token in a token', method({ token: { card: { id: 'x' } } }), ['payment_method.token']],
    ['a token of an unknown provider', method({ tokens: { stripe: 'ok', acme: 'x' } }), ['payment_method.tokens.acme']],
    ['an invalid phone number', method({ phone: 'call me' }), ['payment_method.phone']],
    ['metadata of 51 keys', aPaymentBody('ok', { metadata: keys(51) }), ['metadata']],
    ['a name of 41 characters', metadata(`{"${'k'.repeat(41)}":1}`), [`metadata.${'k'.repeat(41)}`]],
    ['an empty name', metadata('{"":1}'), ['metadata.']],
    ['a value of 501 characters', metadata(`{"a":"${'x'.repeat(501)}"}`), ['metadata.a']],
    ['nested metadata', metadata('{"a":{"b":1},"c":[1],"d":null}'), ['metadata.a', 'metadata.c', 'metadata.d']],
    ['metadata that is a list', metadata('[1]'), ['metadata']],
    ['metadata that is a list', metadata('[]'), ['metadata']],
    ['__proto__ in metadata', metadata('{"__proto__":"x","a":1}'), ['metadata.__proto__']],
    [
      '__proto__ in a token',
      text('"payment_method":{"type":"card","token":{"__proto__":"x"}}'),
      ['payment_method.token.__proto__'],
    ],
    ['half a surrogate pair in metadata', metadata('{"a":"\\ud800","\\udc00":1}'), ['metadata.a', 'metadata.\udc00']],
    ['NUL in metadata', metadata('{"a":"\\u0000","\\u0000":1}'), ['metadata.a', 'metadata.\0']],
    [
      'numbers that the store cannot keep',
      metadata('{"a":1e20,"b":1e-200,"c":1e999}'),
      ['metadata.a', 'metadata.b', 'metadata.c'],
    ],
    [
      'many errors at once',
      '{"amount":"1","currency":"??","colour":1,"metadata":{"a":null},"payment_method":{"size":2}}',
      ['amount', 'currency', 'metadata.a', 'payment_method.type', 'payment_method.size', 'colour'],
    ],
  ])('is rejected with %s', async (_, body, paths) => {
    const answer = await refuses(() => create(body));
    expect(verdict(answer)).toEqual(INVALID);
    expect(pathsIn(answer).toSorted()).toEqual(paths.toSorted());
    for (const { message } of answer.body.details.fields) expect(message).toMatch(/^[A-Z]/);
  });

  it.each<readonly [string, string, readonly string[]]>([
    ['/refund', '{"amount":0,"reason":"\\ud800","metadata":{"a":1e20}}', ['amount', 'reason', 'metadata.a']],
    [
      '/confirm',
      '{"input":{"otp":{}},"payment_method":{"type":"card","phone":7}}',
      ['input.otp', 'payment_method.phone'],
    ],
    ['/retry', '{"payment_method":"pm_card_visa"}', ['payment_method']],
    ['/cancel', '{"reason":"none"}', ['reason']],
  ])('is not changed by an invalid %s', async (action, body, paths) => {
    const answer = await refuses(() => host.call('POST', `/v1/payments/pay_${NEVER}${action}`, body));
    expect([verdict(answer), pathsIn(answer).toSorted()]).toEqual([INVALID, paths.toSorted()]);
  });

  it('lets the idempotency key of an invalid request be used again', async () => {
    const how = { idempotencyKey: randomUUID() };
    await refuses(() => create({ amount: 0 }, how));
    expect((await create(aPaymentBody(), how)).status).toBe(201);
  });

  const inDescription = (description: string) => aPaymentBody('ok', { description });
  const CARDS: readonly (readonly [string, unknown])[] = [
    ['a text', aPaymentBody('ok', { metadata: { card: CARD } })],
    ['a number', aPaymentBody('ok', { amount: Number(CARD) })],
    ['a name', aPaymentBody('ok', { metadata: { [CARD]: true } })],
    ['a token', aPaymentBody(CARD)],
    ['a token in parts', method({ token: { number: CARD, cvc: '123' } })],
    ['a token of one provider', method({ tokens: { stripe: { number: CARD } } })],
    ['a field that does not exist', aPaymentBody('ok', { card: [{ deep: [{ number: CARD }] }] })],
    ['digits with spaces', inDescription('card 4242 4242 4242 4242 please')],
    ['digits with dashes', inDescription('4242-4242-4242-4242')],
    [
      'escaped digits',
      `{"amount":1,"currency":"EUR","description":"${[...CARD].map((digit) => `\\u003${digit}`).join('')}"}`,
    ],
    ['15 digits', inDescription('378282246310005')],
    ['19 digits', inDescription('6304000000000000018')],
    ['a phone', method({ phone: '4242 4242 4242 4242' })],
    ['a return URL', method({ return_url: `https://shop.example/?card=${CARD}` })],
    ['a mail address', aPaymentBody('ok', { customer_email: `${CARD}@shop.example` })],
  ];

  it.each(CARDS)('is rejected with a card number in %s', async (_, body) => {
    const answer = await refuses(() => create(body));
    expect(verdict(answer)).toEqual([400, 'invalid_request', 'raw_card_data']);
    expect(answer.text).not.toMatch(/\d{13,}/);
    expect(pathsIn(answer).every((path) => path !== '')).toBe(true);
  });

  it.each<readonly [string, unknown, readonly string[]]>([
    ['a text', inDescription(`card ${CARD}`), ['description']],
    ['metadata and a token', { ...aPaymentBody(CARD), metadata: { a: CARD } }, ['metadata.a', 'payment_method.token']],
    ['a name', aPaymentBody('ok', { metadata: { [CARD]: true } }), ['metadata.[card]']],
    ['a list in an unknown field', aPaymentBody('ok', { list: [1, { b: CARD }] }), ['list.1.b']],
  ])('names where a card number is: in %s', async (_, body, paths) => {
    expect(pathsIn(await refuses(() => create(body))).toSorted()).toEqual(paths);
  });

  it.each([
    ['an EAN in a description', { description: 'EAN 4006669725106' }],
    ['an EAN in metadata and as customer', { customer_id: '4006669725106', metadata: { item: 4006669725106 } }],
    ['a company number', { description: 'SIRET 305 693 090 25904', metadata: { siret: '30569309025904' } }],
  ])('takes numbers that are not of cards, and returns them: %s', async (_, more) => {
    const { status, body } = await create(aPaymentBody('ok', more));
    expect([status, body]).toMatchObject([201, more]);
  });

  it('leaves no card number in files, logs or provider calls', async () => {
    for (const [, body] of CARDS) await create(body);
    const files = readdirSync(host.folder).map((name) => readFileSync(join(host.folder, name), 'latin1'));
    const heard = [...files, inspect(host.logged, { depth: null }), JSON.stringify(host.simulators.calls({}))].join();
    for (const number of [
      CARD,
      '4242 4242 4242 4242',
      '4242-4242-4242-4242',
      '378282246310005',
      '6304000000000000018',
    ]) {
      expect(heard.includes(number), number).toBe(false);
    }
  });
});

describe('an idempotency key', () => {
  const keyed = MUTATING.filter(({ idempotency }) => idempotency === 'required' || idempotency === 'in_record');
  const bodyFor = ({ path }: Route): Body => BODIES[path];
  /** The bodies of routes with required fields. A route without a line here gets an empty body. */
  const BODIES: Readonly<Record<string, Body>> = {
    '/v1/payments': aPaymentBody(),
    '/v1/payments/intents': aPaymentBody(),
    '/v1/api-keys': { name: 'Shop', scopes: [] },
    '/v1/webhooks/config': { url: 'https://shop.example/hook', events: ['*'] },
  };
  const askable = keyed.filter((route) => !route.body || route.bodyOptional || bodyFor(route));
  const INVALID_KEYS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['a space', { 'idempotency-key': 'two words' }],
    ['256 characters', { 'idempotency-key': 'k'.repeat(256) }],
    ['a letter that is not ASCII', { 'idempotency-key': 'schl\u00fcssel' }],
    ['no character', { 'idempotency-key': '' }],
    ['another beside it', { 'idempotency-key': 'one', 'x-idempotency-key': 'two' }],
  ];

  it.each(
    askable.flatMap((route) =>
      INVALID_KEYS.map(([what, headers]) => [route.method, route.path, what, route, headers] as const),
    ),
  )('of %s %s must not have %s', async (method, _, __, route, headers) => {
    const answer = await refuses(() =>
      host.call(method, addressOf(route), bodyFor(route), admitted(route, { idempotencyKey: null, headers })),
    );
    expect(verdict(answer)).toEqual([400, 'invalid_request', 'idempotency_key_invalid']);
  });

  it.each(askable)('is required by $method $path', async (route) => {
    const answer = await refuses(() =>
      host.call(route.method, addressOf(route), bodyFor(route), admitted(route, { idempotencyKey: null })),
    );
    expect(verdict(answer)).toEqual([400, 'invalid_request', 'idempotency_key_required']);
  });

  it.each([
    ['255 characters', { 'idempotency-key': '!'.repeat(255) }],
    ['the alternative header', { 'x-idempotency-key': randomUUID() }],
    ['both headers', { 'idempotency-key': 'same', 'x-idempotency-key': 'same' }],
  ])('can have %s', async (_, headers) => {
    expect((await host.call('POST', '/v1/payments', aPaymentBody(), { idempotencyKey: null, headers })).status).toBe(
      201,
    );
  });
});
