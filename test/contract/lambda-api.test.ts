import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOrganization } from '#lib/local/new-organization.ts';
import { awsEnv } from '#shared/env.ts';
import type { ApiResult } from '#shared/http/request.ts';
import { type AwsAccount, startAwsAccount } from '#test/support/aws-account.ts';
import { awsDeps } from '#test/support/aws-deps.ts';
import { aContext, apiEvent, functionUrlEvent } from '#test/support/aws-events.ts';
import { dynamoDbSuite } from '#test/support/dynamodb-suite.ts';

const STRIPE = {
  provider: 'stripe',
  credentials: { secret_key: `sk_test_${'a'.repeat(40)}`, webhook_secret: `whsec_${'b'.repeat(32)}` },
};
const INTENT = { amount: 4_900, currency: 'EUR' };
/** No connected provider supports it. */
const FOR_NOBODY = { ...INTENT, method: 'carrier_pigeon' };

type Event = ReturnType<typeof apiEvent>;
type Handler = (event: Event, context: ReturnType<typeof aContext>) => Promise<ApiResult>;

dynamoDbSuite('functions behind the API', (local) => {
  let account: AwsAccount;
  let orgId: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    account = await startAwsAccount(local());
    const { org_id, key } = await createOrganization(
      { name: 'Shop', legal_name: 'Shop Ltd', kyc: 'approved', plan: 'scale' },
      await awsDeps(),
    );
    orgId = org_id;
    headers = { authorization: `Bearer ${key}` };
  });
  afterAll(() => account?.stop());

  const functions = {
    payments: () => import('#functions/payments/payments.lambda.ts'),
    connections: () => import('#functions/connections/connections.lambda.ts'),
    'api-keys': () => import('#functions/api-keys/api-keys.lambda.ts'),
    webhooks: () => import('#functions/webhooks/webhooks.lambda.ts'),
    'psp-webhooks': () => import('#functions/psp-webhooks/psp-webhooks.lambda.ts'),
    openapi: () => import('#functions/openapi/openapi.lambda.ts'),
    health: () => import('#functions/health/health.lambda.ts'),
  };
  async function invoke(name: keyof typeof functions, event: Event) {
    const { handler }: { handler: Handler } = await account.asFunction(
      name,
      functions[name] as () => Promise<{ handler: Handler }>,
    );
    const { statusCode, headers: got = {}, body = '', isBase64Encoded } = await handler(event, aContext());
    const text = isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body;
    return { status: statusCode, headers: got, text, body: text === '' ? undefined : JSON.parse(text) };
  }
  const intent = (key: string, how: { base64?: boolean } = {}) =>
    invoke(
      'payments',
      apiEvent('POST /v1/payments/intents', { headers: { ...headers, 'idempotency-key': key }, body: INTENT, ...how }),
    );

  it('the payments function creates, reads and lists payments', async () => {
    const made = await intent('key-1');
    expect(made).toMatchObject({
      status: 201,
      body: { amount: 4_900, status: 'created' },
      headers: { 'content-type': 'application/json; charset=utf-8' },
    });
    const read = await invoke('payments', apiEvent('GET /v1/payments/{id}', { params: { id: made.body.id }, headers }));
    expect([read.status, read.body.id]).toEqual([200, made.body.id]);
    const listed = await invoke(
      'payments',
      apiEvent('GET /v1/payments', { query: { limit: '10', status: 'created' }, headers }),
    );
    expect([listed.status, JSON.stringify(listed.body)]).toEqual([200, expect.stringContaining(made.body.id)]);
  });

  it('a repeated parameter, which the gateway has joined, is rejected', async () => {
    const event = apiEvent('GET /v1/payments', { query: { customer_id: 'a,b' }, headers });
    expect((await invoke('payments', event)).status).toBe(200);
    const twice = await invoke('payments', { ...event, rawQueryString: 'customer_id=a&customer_id=b' });
    expect(twice).toMatchObject({
      status: 400,
      body: { details: { fields: [{ path: 'query.customer_id', message: 'Must not be repeated.' }] } },
    });
  });

  it('a repeated request is recognized, even with a base64 body', async () => {
    const [first, again] = [await intent('key-2'), await intent('key-2', { base64: true })];
    expect([again.status, again.body, again.headers['idempotency-replayed']]).toEqual([201, first.body, 'true']);
  });

  it('a request has the id that the access log has, and what it makes does not follow from that id', async () => {
    const { requestId } = apiEvent('GET /v1/payments').requestContext;
    const [first, second] = [await intent('logged-1'), await intent('logged-2')];
    for (const { headers: got } of [first, second]) expect(got['x-request-id']).toBe(`req_${requestId}`);
    expect([first.status, second.status, second.body.id === first.body.id]).toEqual([201, 201, false]);
  });

  it.each([
    ['without a key', 401, 'invalid_api_key', apiEvent('GET /v1/payments')],
    ['for a route of another function', 404, 'route_not_found', apiEvent('GET /v1/api-keys')],
    ['for no route at all', 404, 'route_not_found', { ...apiEvent('GET /v1/nothing'), routeKey: '$default' }],
  ])('a request %s is rejected', async (_, status, code, event) => {
    expect(await invoke('payments', event)).toMatchObject({
      status,
      body: { code },
      headers: { 'x-request-id': expect.stringMatching(/^req_/) },
    });
  });

  it.each([
    ['GET', '/v1/nothing', 404, undefined],
    ['PUT', '/v1/payments', 405, 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/dashboard/payments', 405, 'GET, HEAD, OPTIONS'],
    ['HEAD', '/v1/payments/pay_1/refund', 405, 'POST, OPTIONS'],
  ])(
    'what no route matches gets to the function that knows all of them: %s %s',
    async (method, path, status, allow) => {
      const event = { ...apiEvent(`${method} ${path}`), routeKey: '$default' };
      const answer = await invoke('openapi', event);
      expect([answer.status, answer.headers.allow, answer.text === '']).toEqual([status, allow, method === 'HEAD']);
    },
  );

  it('what no route matches but for the slash at its end leads to the page', async () => {
    const event = { ...apiEvent('GET /sign-in/', { query: { token: 'a/b' } }), routeKey: '$default' };
    const { status, headers: got } = await invoke('openapi', event);
    expect([status, got.location]).toEqual([308, '/sign-in?token=a%2Fb']);
  });

  it('a compressed request is that of the plain one, and one that the gateway took for text gets a 400', async () => {
    const compressed = gzipSync(JSON.stringify(INTENT));
    const send = (body: string, isBase64Encoded: boolean) => {
      const own = { ...headers, 'idempotency-key': 'key-gzip', 'content-encoding': 'gzip' };
      return invoke('payments', { ...apiEvent('POST /v1/payments/intents', { headers: own }), body, isBase64Encoded });
    };
    const made = await send(compressed.toString('base64'), true);
    const plain = await intent('key-gzip');
    expect([made.status, plain.headers['idempotency-replayed'], plain.body]).toEqual([201, 'true', made.body]);
    const mangled = await send(compressed.toString('utf8'), false);
    expect([mangled.status, mangled.body.code]).toEqual([400, 'malformed_gzip']);
  });

  it('a large answer is compressed, in base64', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) await intent(`key-large-${n}`);
    const list = (accepted: string) =>
      invoke('payments', apiEvent('GET /v1/payments', { headers: { ...headers, 'accept-encoding': accepted } }));
    const [gzip, plain] = [await list('gzip'), await list('identity')];
    expect([gzip.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined]);
    expect(gzip.body).toEqual(plain.body);
  });

  it('credentials are encrypted with the key for PSPs, and stored responses with the one for responses', async () => {
    const posted = { headers: { ...headers, 'idempotency-key': 'key-3' } };
    expect((await invoke('connections', apiEvent('POST /v1/connections', { ...posted, body: STRIPE }))).status).toBe(
      201,
    );
    expect(account.kms.calls.at(-1)).toMatchObject({
      operation: 'GenerateDataKey',
      body: { KeyId: awsEnv().keys.psp, EncryptionContext: { org_id: orgId, kind: 'psp' } },
    });
    const key = apiEvent('POST /v1/api-keys', {
      ...posted,
      headers: { ...headers, 'idempotency-key': 'key-4' },
      body: { name: 'Shop', scopes: ['payments:read'] },
    });
    const made = await invoke('api-keys', key);
    expect([made.status, account.kms.calls.at(-1)?.body]).toMatchObject([
      201,
      { KeyId: awsEnv().keys.secrets, EncryptionContext: { kind: 'answer' } },
    ]);
    expect((await invoke('api-keys', structuredClone(key))).text).toBe(made.text);
  });

  it('a preflight request allows every page to confirm an intent', async () => {
    const event = apiEvent('OPTIONS /{proxy+}', {
      params: { proxy: 'v1/payments/pay_1/confirm-intent' },
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect(await invoke('openapi', event)).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'POST',
        'x-request-id': expect.stringMatching(/^req_/),
      },
    });
  });

  it("a public key with the intent's secret confirms an intent", async () => {
    const posted = (key: string, body: object) => ({ headers: { ...headers, 'idempotency-key': key }, body });
    const { key } = (
      await invoke(
        'api-keys',
        apiEvent('POST /v1/api-keys', posted('key-5', { name: 'Page', kind: 'public', scopes: [] })),
      )
    ).body;
    const { id, client_secret } = (
      await invoke('payments', apiEvent('POST /v1/payments/intents', posted('key-6', FOR_NOBODY)))
    ).body;
    const confirm = (secret: string) =>
      invoke(
        'payments',
        apiEvent('POST /v1/payments/{id}/confirm-intent', {
          params: { id },
          headers: { authorization: `Bearer ${key}` },
          body: { client_secret: secret },
        }),
      );
    expect(await confirm(`${client_secret}x`)).toMatchObject({
      status: 404,
      headers: { 'access-control-allow-origin': '*' },
    });
    const { status, body, headers: got } = await confirm(client_secret);
    expect([status, got['access-control-allow-origin'], Object.keys(body).length]).toEqual([200, '*', 6]);
    expect(body).toMatchObject({ id, status: 'failed', failure: { code: 'no_route' } });
    const read = await invoke('payments', apiEvent('GET /v1/payments/{id}', { params: { id }, headers }));
    expect(read.body.customer_ip).toBe(apiEvent('GET /v1/payments').requestContext.http.sourceIp);
  });

  it('the webhook configuration and the API document are served', async () => {
    expect((await invoke('webhooks', apiEvent('GET /v1/webhooks/events', { headers }))).status).toBe(200);
    expect((await invoke('openapi', apiEvent('GET /openapi.json'))).body).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
    });
  });

  it('the health function reads the table, and tells which build it is of', async () => {
    vi.stubEnv('VERSION', '1.2.3+abc');
    const answer = await invoke('health', apiEvent('GET /health'));
    expect([answer.status, answer.body]).toEqual([
      200,
      { status: 'ok', stage: 'sandbox', version: '1.2.3+abc', probe: 'not_set_up' },
    ]);
    const forged = apiEvent('POST /health/probe', { headers: { 'webhook-signature': 'v1,x' }, body: { id: 'evt_1' } });
    expect(await invoke('health', forged)).toMatchObject({ status: 401, body: { code: 'invalid_signature' } });
  });

  describe('a callback', () => {
    const ignored = { id: 'evt_1', type: 'customer.created', data: { object: { id: 'cus_1' } } };
    const about = (payment: string, connection: string) => ({
      ...ignored,
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_1', metadata: { org_id: orgId, connection_id: connection, payment_id: payment } } },
    });

    it.each([
      [
        'over the API',
        () => apiEvent('POST /webhooks/{provider}', { params: { provider: 'stripe' }, body: ignored }),
        200,
      ],
      ['over the function URL', () => functionUrlEvent('POST', '/webhooks/stripe', { body: ignored }), 200],
      ['in base64', () => functionUrlEvent('POST', '/webhooks/stripe', { body: ignored, base64: true }), 200],
      ['on an encoded path', () => functionUrlEvent('POST', '/webhooks/%73tripe', { body: ignored }), 200],
      ['from an unknown provider', () => functionUrlEvent('POST', '/webhooks/nobody', { body: ignored }), 404],
      ['to another path', () => functionUrlEvent('POST', '/webhooks/stripe/', { body: ignored }), 404],
      ['by another method', () => functionUrlEvent('GET', '/webhooks/stripe'), 405],
      ['on a path of the API', () => functionUrlEvent('GET', '/v1/payments'), 404],
      [
        'that belongs to no payment',
        () => functionUrlEvent('POST', '/webhooks/stripe', { body: about('pay_x', 'conn_x') }),
        401,
      ],
    ])('gets its response: %s', async (_, event, status) => {
      expect((await invoke('psp-webhooks', event())).status).toBe(status);
    });
  });
});
