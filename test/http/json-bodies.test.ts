import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { randomCredentials } from '#lib/local/demo.ts';
import type { Route } from '#shared/http/route.ts';
import { addressOf, admission, INVALID, OURS, pathsIn, verdict } from '#test/http/bad-input.support.ts';
import { aPaymentBody, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
let admit: (route: Route) => CallOptions;
beforeAll(async () => {
  host = await startHost();
  admit = await admission(host);
});
afterAll(() => host?.close());

const create = (body: unknown) => host.call('POST', '/v1/payments', body);
const payment = (more: string) => `{"amount":100,"currency":"EUR"${more}}`;

describe('a name that stands twice in an object', () => {
  it.each([
    ['an amount', '{"amount":100,"amount":200,"currency":"EUR"}', ['amount']],
    ['the same value twice', '{"amount":100,"currency":"EUR","amount":100}', ['amount']],
    ['an escaped name', '{"amount":100,"currency":"EUR","amo\\u0075nt":200}', ['amount']],
    ['a name within', payment(',"payment_method":{"type":"card","token":"a","token":"b"}'), ['payment_method.token']],
    ['a name in metadata', payment(',"metadata":{"a":1,"b":[],"a":{"a":1}}').replace('"b":[],', ''), ['metadata.a']],
    ['two names', '{"amount":1,"amount":2,"currency":"EUR","currency":"USD"}', ['amount', 'currency']],
  ])('is refused: %s', async (_, body, paths) => {
    const before = host.simulators.calls({}).calls.length;
    const answer = await create(body);
    expect(verdict(answer)).toEqual(INVALID);
    expect(pathsIn(answer)).toEqual(expect.arrayContaining(paths));
    expect(answer.body.details.fields).toContainEqual({ path: paths[0], message: expect.any(String) });
    expect(host.simulators.calls({}).calls).toHaveLength(before);
  });

  it('may stand in several objects', async () => {
    const { status } = await create(
      payment(',"metadata":{"type":1,"amount":2},"payment_method":{"type":"card","token":"{\\"a\\":1,\\"a\\":2}"}'),
    );
    expect(status).toBe(201);
  });

  it.each(OURS.filter(({ method, body }) => method !== 'GET' && body))('is refused by $method $path', async (route) => {
    const answer = await host.call(route.method, addressOf(route), '{"same":1,"same":1}', admit(route));
    expect([verdict(answer), pathsIn(answer).includes('same')]).toEqual([INVALID, true]);
  });
});

describe('a number', () => {
  const amounts = [
    '4999.9999999999999999',
    '1.0000000000000000001',
    '99.99999999999999999',
    '1e400',
    '-1e400',
    '1e-400',
  ];
  it.each([...amounts, '9007199254740993', '0.1000000000000000055511151231257827', '123456789012345678901234567890'])(
    'that would lose digits is refused: %s',
    async (number) => {
      expect(pathsIn(await create(`{"amount":${number},"currency":"EUR"}`))).toEqual(['amount']);
      expect(pathsIn(await create(payment(`,"metadata":{"a":${number}}`)))).toEqual(['metadata.a']);
    },
  );

  it.each([
    ['100.0', 100],
    ['1e2', 100],
    ['1E+2', 100],
    ['100.00000000000000000000', 100],
    ['10000e-2', 100],
  ])('that is the same in another notation is taken: %s', async (number, amount) => {
    expect((await create(`{"amount":${number},"currency":"EUR"}`)).body.amount).toBe(amount);
  });

  it.each([
    ['-0', 0],
    ['-0.0', 0],
    ['0e5', 0],
    ['0.1', 0.1],
    ['-12.5e-3', -0.0125],
    ['9007199254740991', 9007199254740991],
    ['1.7976931348623157', 1.7976931348623157],
  ])('is stored exactly: %s', async (number, stored) => {
    const { id } = (await create(payment(`,"metadata":{"a":${number}}`))).body;
    const { text } = await host.call('GET', `/v1/payments/${id}`);
    expect(text).toContain(`"metadata":{"a":${stored}}`);
  });

  it('is refused with its place in a list', async () => {
    const answer = await host.call(
      'POST',
      '/v1/workflows/templates',
      '{"name":"x","steps":[1,{"a":0.10000000000000000001}]}',
    );
    expect(pathsIn(answer)).toContain('steps.1.a');
  });
});

describe('null', () => {
  it('in an optional field of a payment is as if the field was not sent', async () => {
    const fields = ['customer_email', 'description', 'metadata', 'country', 'customer_id', 'customer_ip', 'method'];
    const { status, body } = await create({
      ...aPaymentBody(),
      ...Object.fromEntries(fields.map((name) => [name, null])),
    });
    expect([status, body.description, body.metadata, body.method]).toEqual([201, null, {}, 'card']);
  });

  it('within an optional object is as if the field was not sent', async () => {
    const payment_method = { type: 'card', token: 'ok', tokens: null, return_url: null, phone: null, bank: null };
    expect((await create({ amount: 100, currency: 'EUR', payment_method })).body.status).toBe('succeeded');
  });

  it.each([
    ['a required field', { amount: null, currency: 'EUR' }, ['amount']],
    ['an entry of metadata', { ...aPaymentBody(), metadata: { a: null } }, ['metadata.a']],
    ['an unknown field', { ...aPaymentBody(), colour: null }, ['colour']],
    ['a required field beside an optional one', { amount: null, currency: 'EUR', description: null }, ['amount']],
  ])('is refused in %s', async (_, body, paths) => expect(pathsIn(await create(body))).toEqual(paths));

  it('of a change leaves a field as it is', async () => {
    const body = { customer_id: 'c', plan_id: 'p', amount: 500, currency: 'EUR', interval: 'monthly' };
    const { id } = (await host.call('POST', '/v1/subscriptions', { ...body, metadata: { a: 1 }, start_at: null })).body;
    const changed = await host.call('PATCH', `/v1/subscriptions/${id}`, { amount: 600, plan_id: null, metadata: null });
    expect(changed.body).toMatchObject({ amount: 600, plan_id: 'p', metadata: { a: 1 } });
  });

  it('in one of several shapes in a list is as if the field was not sent, and stays where it means something', async () => {
    const steps = [
      { id: 'mark', type: 'tag_payment', metadata: { a: 1 }, on_error: null },
      { id: 'give_back', type: 'refund_payment', amount: null, reason: null, on_error: null, next: null },
    ];
    const { status, body } = await host.call('POST', '/v1/workflows/templates', { name: 'x', steps });
    expect([status, body.steps ?? body]).toEqual([
      201,
      [
        { id: 'mark', type: 'tag_payment', metadata: { a: 1 } },
        { id: 'give_back', type: 'refund_payment', next: null },
      ],
    ]);
  });

  it('within a connection is as if the field was not sent', async () => {
    const body = { provider: 'stripe', credentials: randomCredentials('stripe', 'sandbox'), labels: null };
    const made = await host.call('POST', '/v1/connections', {
      ...body,
      capabilities: { methods: ['card'], currencies: null, refunds: null },
      routing_hints: { fallback_only: null, method_bias: null },
      fee_structure: { percentage: 1, fixed: null, per_method: { card: { percentage: null, fixed: 5 } } },
    });
    expect([made.status, made.body.fee_structure]).toEqual([
      201,
      { percentage: 1, per_method: { card: { fixed: 5 } } },
    ]);
    expect(made.body.capabilities).toMatchObject({ methods: ['card'], currencies: 'all', refunds: true });
  });

  it('still clears where it means to clear', async () => {
    const route = OURS.find(({ path, method }) => path === '/v1/organization' && method === 'PATCH') as Route;
    const { body } = await host.call('PATCH', route.path, { legal_name: null, name: null }, admit(route));
    expect(body).toMatchObject({ legal_name: null, name: 'Demo Shop' });
  });

  const optional = OURS.flatMap((route) => {
    const shape = shapeOf(route.body);
    return Object.entries(shape)
      .filter(([, field]) => z.safeParse(field, undefined).success)
      .map(([name]) => [route.method, route.path, name, route] as const);
  });

  it('is looked for in every optional field', () => expect(optional.length).toBeGreaterThan(70));

  it.each(optional)('is taken by %s %s as %s', async (method, _, name, route) => {
    const errorsOf = async (body: Body) =>
      (await host.call(method, addressOf(route), body, admit(route))).body.details?.fields;
    expect(await errorsOf({ [name]: null })).toEqual(await errorsOf({}));
  });
});

/** The fields of a body, within its checks and transformations. */
function shapeOf(body: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> {
  if (body instanceof z.ZodPipe) return shapeOf(body.def.in as z.ZodType);
  return body instanceof z.ZodObject ? (body.shape as Readonly<Record<string, z.ZodType>>) : {};
}
