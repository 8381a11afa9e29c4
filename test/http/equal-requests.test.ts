import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyedHash, randomBits } from '#shared/kernel/ids.ts';
import { claimIdSeed } from '#shared/store/idempotency-claim.ts';
import { keys } from '#shared/store/keys.ts';
import type { Key, TablePort } from '#shared/store/table/table.port.ts';
import {
  type ApiResponse,
  aPaymentBody,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';

let host: TestHost;
let table: TablePort;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (bare) => {
      table = bare;
      return bare;
    },
  });
});
afterAll(() => host?.close());

const chargesAt = () => host.simulators.calls({}).calls.filter(({ operation }: Body) => operation === 'charge').length;
const replayed = ({ headers }: ApiResponse) => headers.get('idempotency-replayed');
const post = (path: string, body: unknown, idempotencyKey: string, more: CallOptions = {}) =>
  host.call('POST', path, body, { idempotencyKey, ...more });

/** Sends two bodies under one key. */
async function twice(path: string, first: unknown, second: unknown, more: CallOptions = {}) {
  const key = randomUUID();
  return [await post(path, first, key), await post(path, second, key, more)] as const;
}

const PAYMENT =
  '{"amount":100,"currency":"EUR","payment_method":{"type":"card","token":"ok"},"metadata":{"a":1,"b":"x"}}';
const typed = (type: string): CallOptions => ({ headers: { 'content-type': type } });

describe('a repeat that asks for the same gets the first response', () => {
  it.each<[string, string | Uint8Array, CallOptions?]>([
    [
      'with its names in another order',
      '{"metadata":{"b":"x","a":1},"payment_method":{"token":"ok","type":"card"},"currency":"EUR","amount":100}',
    ],
    ['with a blank at its end', `${PAYMENT} `],
    ['with line breaks and indents', JSON.stringify(JSON.parse(PAYMENT), null, 2)],
    ['with CRLF', JSON.stringify(JSON.parse(PAYMENT), null, 2).replaceAll('\n', '\r\n')],
    ['with decimals of zero', PAYMENT.replace('100', '100.0')],
    ['with an exponent', PAYMENT.replace('100', '1e2')],
    ['with escaped letters', PAYMENT.replace('EUR', '\\u0045UR')],
    ['with a byte order mark', Buffer.from(`\ufeff${PAYMENT}`)],
    ['with a charset', PAYMENT, typed('application/json; charset=utf-8')],
    ['with its content type in capitals', PAYMENT, typed('Application/JSON;charset="UTF-8"')],
    ['with fields that are null', PAYMENT.replace('{', '{"description":null,"country":null,')],
    ['with its currency in small letters', PAYMENT.replace('EUR', 'eur')],
    ['with its key in the other header', PAYMENT, { headers: { 'X-Idempotency-KEY': 'replaced below' } }],
  ])('%s', async (_, body, more = {}) => {
    const key = randomUUID();
    const other = more.headers && 'X-Idempotency-KEY' in more.headers;
    const first = await post('/v1/payments', PAYMENT, key);
    const before = chargesAt();
    const again = await host.call(
      'POST',
      '/v1/payments',
      body,
      other ? { idempotencyKey: null, headers: { 'X-Idempotency-KEY': key } } : { idempotencyKey: key, ...more },
    );
    expect([first.status, again.status, again.text, replayed(again)]).toEqual([201, 201, first.text, 'true']);
    expect(chargesAt()).toBe(before);
  });

  it('on routes whose response is kept beside the record', async () => {
    const [first, again] = await twice(
      '/v1/payment-links',
      '{"amount":500.0,"currency":"EUR","methods":["card","ideal"],"expires_at":"2040-01-01T00:00:00Z"}',
      '{"expires_at":"2040-01-01T01:00:00+01:00","methods":["card","ideal"],"currency":"eur","amount":500}',
    );
    expect([first.status, again.status, again.text, replayed(again)]).toEqual([201, 201, first.text, 'true']);
  });

  it('without a body where `{}` was sent', async () => {
    const { id } = (await post('/v1/payments', aPaymentBody('ok'), randomUUID())).body;
    const [first, again] = await twice(`/v1/payments/${id}/refund`, undefined, '{}');
    expect([first.status, again.text, replayed(again)]).toEqual([200, first.text, 'true']);
  });

  it('with the currencies of a map in small letters', async () => {
    const [first, again] = await twice(
      '/v1/policies/fraud',
      { max_amount: { EUR: 100 } },
      '{"max_amount":{"eur":1.0e2}}',
    );
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
  });
});

describe('a repeat that asks for something else is refused', () => {
  it.each([
    ['another amount', PAYMENT.replace('100', '101')],
    ['text in place of a number', PAYMENT.replace('"a":1', '"a":"1"')],
    ['a field more', PAYMENT.replace('{', '{"description":"x",')],
    ['a default written out', PAYMENT.replace('{', '{"method":"card",')],
    ['another order of a list', undefined],
  ])('%s', async (_, body) => {
    const [first, again] = body
      ? await twice('/v1/payments', PAYMENT, body)
      : await twice(
          '/v1/payment-links',
          { amount: 100, currency: 'EUR', methods: ['card', 'ideal'] },
          { amount: 100, currency: 'EUR', methods: ['ideal', 'card'] },
        );
    expect([first.status, again.status, again.body.code]).toEqual([201, 422, 'idempotency_key_reused']);
  });

  it('for the same path of another record', async () => {
    const key = randomUUID();
    const ids = [await post('/v1/payments', PAYMENT, randomUUID()), await post('/v1/payments', PAYMENT, randomUUID())];
    const answers = [];
    for (const { body } of ids) answers.push(await post(`/v1/payments/${body.id}/refund`, { amount: 10 }, key));
    expect(answers.map(({ status }) => status)).toEqual([200, 422]);
  });

  it('with a message that advises no new key', async () => {
    const [, { body }] = await twice('/v1/payments', PAYMENT, PAYMENT.replace('100', '101'));
    expect(body.message).toMatch(/repeat it unchanged with this key/);
    expect(body.message).not.toMatch(/use a new key/i);
  });
});

describe('the claim of the release before', () => {
  const oldHash = (path: string, body: string) =>
    keyedHash(host.deps.config.hashSecret, 'POST', path, Buffer.from(body).toString('base64')).toString('base64url');
  const ticket = (key: string) =>
    ({ orgId: host.info.org_id, class: 'server', key, request: '', credentialId: '' }) as const;
  const claimKey = (key: string): Key => keys.claim(claimIdSeed(host.deps.config.hashSecret, ticket(key), 0));

  async function paidBefore(key: string): Promise<ApiResponse> {
    const first = await post('/v1/payments', PAYMENT, key);
    await host.drain();
    const place = keys.payment(first.body.id, randomBits(first.body.id));
    const item = await table.get(place);
    const claim = { ...(item?.claim as object), request: oldHash('/v1/payments', PAYMENT) };
    await table.update(place, { set: { claim } }, { exists: 'pk' });
    return first;
  }

  it('of a payment is known by the bytes of its body', async () => {
    const key = randomUUID();
    const first = await paidBefore(key);
    const again = await post('/v1/payments', PAYMENT, key);
    expect([again.text, replayed(again)]).toEqual([first.text, 'true']);
    expect((await post('/v1/payments', PAYMENT.replace('100', '101'), key)).status).toBe(422);
  });

  it('of any other request is known by the bytes of its body', async () => {
    const [key, path, body] = [randomUUID(), '/v1/payment-links', '{"amount":5,"currency":"EUR"}'];
    const first = await post(path, body, key);
    await table.update(claimKey(key), { set: { request: oldHash(path, body) } }, { exists: 'pk' });
    const again = await post(path, body, key);
    expect([first.status, again.text, replayed(again)]).toEqual([201, first.text, 'true']);
    expect((await post(path, '{"amount":6,"currency":"EUR"}', key)).status).toBe(422);
  });
});
