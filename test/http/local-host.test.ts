import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anOrganization, aPaymentBody, callsOf, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());
afterEach(() => Promise.all([host.control('DELETE', '/faults'), host.control('DELETE', '/psp/scenario')]));

const pay = (token?: string, how?: Parameters<TestHost['call']>[3]) =>
  host.call('POST', '/v1/payments', aPaymentBody(token), how);

describe('the demo organization', () => {
  it('has everything that a first payment needs', async () => {
    const { body: info } = await host.control('GET', '/info');
    expect(Object.keys(info)).toEqual([
      'api',
      'function_url',
      'simulators',
      'org_id',
      'keys',
      'connections',
      'owner_email',
    ]);
    expect(await pay()).toMatchObject({
      status: 201,
      body: { status: 'succeeded', org_id: info.org_id, connection_id: info.connections.stripe },
    });
  });

  it.each(['service', 'secret'] as const)('has a %s key with all scopes', async (kind) => {
    expect((await pay('ok', { key: host.info.keys[kind] })).status).toBe(201);
  });
});

describe('POST /organizations', () => {
  it('creates another organization, which cannot see the first', async () => {
    const { body: payment } = await pay();
    const other = await anOrganization(host);
    expect(await host.call('GET', `/v1/payments/${payment.id}`, undefined, other)).toMatchObject({ status: 404 });
  });
});

describe('the clock', () => {
  it('moves forward and runs on', async () => {
    const before = new Date((await host.control('GET', '/clock')).body.now);
    const moved = await host.control('POST', '/clock', { advance: '2h' });
    expect(new Date(moved.body.now).getTime() - before.getTime()).toBeGreaterThanOrEqual(2 * 3_600_000);
    await sleep(5);
    expect((await host.control('GET', '/clock')).body.now > moved.body.now).toBe(true);
  });

  it('can be set', async () => {
    const set = new Date(host.clock.now().getTime() + 86_400_000).toISOString();
    expect((await host.control('POST', '/clock', { set })).body.now >= set).toBe(true);
  });

  it('stops at each due time: a webhook is retried on time, not when the clock arrives', async () => {
    const { key } = await anOrganization(host);
    await host.control('PUT', '/receiver/retries', { status: 500 });
    await host.call(
      'POST',
      '/v1/webhooks/config',
      { url: `${host.controlUrl}/receiver/retries/hook`, events: ['*'] },
      { key },
    );
    await host.call('POST', '/v1/webhooks/test', {}, { key });
    await host.control('POST', '/drain');
    await host.control('POST', '/clock', { advance: '31d' });
    const { deliveries } = (await host.control('GET', '/receiver/retries')).body;
    const days = deliveries.map(({ at }: { at: string }) => at.slice(0, 10));
    expect(deliveries).toHaveLength(9);
    expect(new Set(days).size).toBeLessThanOrEqual(4);
  });
});

describe('the webhook endpoint of the control server', () => {
  const hook = (name: string, body = '{"a": 1}') =>
    fetch(`${host.controlUrl}/receiver/${name}/hook`, { method: 'POST', body, redirect: 'manual' });

  it('answers with its sequence, then with the last status, and lists its requests', async () => {
    await host.control('PUT', '/receiver/a', { sequence: [500, 503, 204] });
    const statuses = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await hook('a')).status);
    const { deliveries } = (await host.control('GET', '/receiver/a')).body;
    expect(statuses).toEqual([500, 503, 204, 204]);
    expect(deliveries.map(({ status }: { status: number }) => status)).toEqual(statuses);
    expect(deliveries[0]).toMatchObject({
      raw_body: '{"a": 1}',
      headers: { 'content-type': 'text/plain;charset=UTF-8' },
    });
  });

  it('answers 200 by default', async () => {
    expect((await hook('untold')).status).toBe(200);
  });

  it('keeps its requests when its status changes', async () => {
    await hook('changing');
    await host.control('PUT', '/receiver/changing', { status: 404 });
    expect((await hook('changing')).status).toBe(404);
    expect((await host.control('GET', '/receiver/changing')).body.deliveries).toHaveLength(2);
  });
});

describe('POST /drain', () => {
  it('returns when the events of a payment are stored and delivered', async () => {
    const { body: payment } = await pay();
    await host.control('POST', '/drain');
    const { body } = await host.call('GET', '/v1/webhooks/events');
    const types = body.events
      .filter((event: { data: { id: string } }) => event.data.id === payment.id)
      .map((event: { type: string }) => event.type);
    expect(types.toSorted()).toEqual(['payment.created', 'payment.succeeded']);
  });
});

describe('scenarios', () => {
  it('decide what the PSP does next, and are cleared', async () => {
    await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'decline:insufficient_funds' });
    expect((await pay()).body).toMatchObject({ status: 'failed', failure: { code: 'insufficient_funds' } });
    await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'decline:insufficient_funds' });
    await host.control('DELETE', '/psp/scenario');
    expect((await pay()).body.status).toBe('succeeded');
  });

  it('refuse a connection before a byte leaves', async () => {
    await host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'refuse_connection' });
    const { body: payment } = await pay();
    expect((await host.control('GET', `/psp/calls?payment_id=${payment.id}`)).body).toEqual({ calls: [], charges: {} });
  });

  it('show only the newest, as many as are asked for', async () => {
    await pay();
    const { body: newest } = await pay();
    const { calls, charges } = (await host.control('GET', '/psp/calls?limit=1')).body;
    expect(calls).toMatchObject([{ payment_id: newest.id }]);
    expect(Object.keys(charges)).toEqual([newest.id]);
    const refused = await host.controlReply('GET', '/psp/calls?limit=none');
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_request']);
  });

  it('show the money that was charged', async () => {
    const { body: payment } = await pay();
    const { body } = await host.control('GET', `/psp/calls?provider=stripe&payment_id=${payment.id}`);
    expect(body.charges).toEqual({ [payment.id]: { amount: 5_000, refunded: 0, currency: 'EUR', count: 1 } });
    expect(body.calls[0]).toMatchObject({ provider: 'stripe', operation: 'create', payment_id: payment.id });
  });

  it('let the customer finish', async () => {
    const { body: payment } = await pay('needs_3ds');
    const completed = await host.control('POST', '/psp/complete', {
      provider: 'stripe',
      reference: payment.id,
      outcome: 'succeeded',
    });
    await host.control('POST', '/drain');
    expect(completed.status).toBe(200);
    expect((await host.call('GET', `/v1/payments/${payment.id}`)).body.status).toBe('succeeded');
  });
});

describe('faults', () => {
  const arm = (fault: Readonly<Record<string, unknown>>) =>
    host.control('POST', '/faults', { nth: 1, kind: 'crash', when: 'before', ...fault });

  it('crash an invocation: the gateway answers 503 at once, and a retry continues', async () => {
    await arm({ point: 'table', nth: 3, handler: 'payments', when: 'after' });
    const crashed = await pay('ok', { idempotencyKey: 'crash-1' });
    expect([crashed.status, crashed.body]).toEqual([503, { message: 'Service Unavailable' }]);
    await host.control('POST', '/clock', { advance: '36s' });
    expect(await pay('ok', { idempotencyKey: 'crash-1' })).toMatchObject({
      status: 201,
      body: { status: 'succeeded' },
    });
  });

  it('answer 500 where the store fails', async () => {
    await arm({ point: 'table', kind: 'error', handler: 'payments' });
    expect(await host.call('GET', '/v1/payments')).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  });

  it('leave other functions alone', async () => {
    await arm({ point: 'table', handler: 'api-keys' });
    expect((await host.call('GET', '/v1/payments')).status).toBe(200);
  });

  it('crash the relay, which then repeats everything', async () => {
    await arm({ point: 'bus', handler: 'relay', when: 'after' });
    await pay();
    await host.control('POST', '/drain');
    expect(host.faults.waiting).toEqual([]);
    expect((await host.call('GET', '/v1/webhooks/events?status=pending')).body.events).toEqual([]);
  });

  it('can be placed at any call, because every call of an invocation is listed', async () => {
    const calls = await callsOf(host, () => host.call('GET', '/v1/payments'), 'payments');
    expect(calls).toContainEqual({ point: 'table', method: 'update', group: 'payments' });
  });
});

describe('the control server', () => {
  it('lists its calls and the address of the API document at GET /, for programs and for people', async () => {
    const { status, body, text } = await host.control('GET', '/');
    expect([status, body.api_document]).toEqual([200, `${host.info.api}/openapi.json`]);
    const calls = Object.keys(body.calls).map((call) => call.split(/[ ?]/).slice(0, 2).join(' '));
    expect(calls).toEqual(expect.arrayContaining(['GET /info', 'POST /clock', 'GET /mailbox', 'POST /psp/scenario']));
    expect(text).toMatch(/^\{\n[\s\S]*\n\}\n$/);
    const ask = (call: string) => host.controlReply(...(call.split(' ') as [string, string]));
    const unknown = await Promise.all(calls.map(async (call) => ((await ask(call)).status === 404 ? [call] : [])));
    expect(unknown.flat()).toEqual([]);
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const { status, text } = await host.control('HEAD', '/info');
    expect([status, text]).toEqual([200, '']);
  });

  it('says where its calls are listed when there is no such call', async () => {
    expect((await host.controlReply('GET', '/scenario')).body.message).toBe(
      'There is no GET /scenario here. GET / lists what there is.',
    );
  });

  it.each([
    ['a fault without a point', 'POST', '/faults', { nth: 1 }, /point/],
    [
      'a fault in an unknown function',
      'POST',
      '/faults',
      { point: 'psp', nth: 1, kind: 'crash', when: 'before', handler: 'x' },
      /There is no x; there are .*payments/,
    ],
    ['a clock that goes back', 'POST', '/clock', { set: '2020-01-01T00:00:00Z' }, /cannot go back/],
    ['a clock beyond all certificates', 'POST', '/clock', { set: '2101-01-01T00:00:00Z' }, /year 2100/],
    ['an invalid step', 'POST', '/clock', { advance: '1w' }, /s, m, h or d/],
    ['a clock without a time', 'POST', '/clock', {}, /either .*advance.* or .*set/],
    ['an unknown behaviour', 'POST', '/psp/scenario', { provider: 'stripe', behaviour: 'dance' }, /dance/],
    ['an unknown provider', 'POST', '/psp/scenario', { provider: 'acme', behaviour: 'approve' }, /provider/],
    ['an unknown field', 'PUT', '/receiver/a', { state: 200 }, /state/],
    ['broken JSON', 'POST', '/faults', '{', /not valid JSON/],
  ])('rejects %s', async (_, method, path, body, message) => {
    expect(await host.controlReply(method, path, body)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(message) },
    });
  });

  it.each([
    ['an unknown path', 'GET', '/nothing', undefined],
    ['an unknown reference', 'POST', '/psp/complete', { provider: 'stripe', reference: 'pi_x', outcome: 'succeeded' }],
  ])('answers 404 for %s', async (_, method, path, body) => {
    expect((await host.controlReply(method, path, body)).status).toBe(404);
  });

  it.each([
    ['uses another host name', { host: 'evil.example' }],
    ['comes from another origin', { origin: 'https://evil.example' }],
    ['hides its origin', { origin: 'null' }],
  ])('rejects a page that %s', async (_, headers) => {
    const status = await new Promise((resolve, reject) => {
      request(`${host.controlUrl}/drain`, { method: 'POST', headers }, (reply) => resolve(reply.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('the simulators', () => {
  it('list the providers where a path names none', async () => {
    const response = await fetch(`${host.info.simulators}/acme/v1/charges`);
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringMatching(/\/adyen\/, .*\/stripe\/\.\n$/),
    ]);
  });
});

describe('the gateway', () => {
  it('sends unknown routes to $default', async () => {
    const answer = await host.call('GET', '/v2/nothing');
    expect(answer).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.headers.get('x-ratelimit-limit')).toMatch(/^(200|500)$/);
  });

  it('rejects a body that is too large for it', async () => {
    const answer = await host.call('POST', '/v1/payments', 'x'.repeat(10 * 1024 * 1024 + 1));
    expect([answer.status, answer.body]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });

  it('passes on a body that is too large for the function only', async () => {
    expect(await host.call('POST', '/v1/payments', 'x'.repeat(300 * 1024))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
  });

  it('serves callbacks, and nothing else, at the function URL', async () => {
    const callback = await fetch(`${host.info.function_url}/webhooks/acme`, { method: 'POST' });
    const payments = await fetch(`${host.info.function_url}/v1/payments`, {
      headers: { authorization: `Bearer ${host.info.keys.service}` },
    });
    expect([callback.status, payments.status]).toEqual([404, 404]);
    expect(await payments.json()).toMatchObject({ code: 'route_not_found' });
  });
});

describe('options of the host', () => {
  it('end an invocation that takes too long with 503, as API Gateway does', async () => {
    const hasty = await startHost({ functionTimeoutMs: 300 });
    await hasty.control('POST', '/psp/scenario', { provider: 'stripe', behaviour: 'slow:5000' });
    const answer = await hasty.call('POST', '/v1/payments', aPaymentBody());
    expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable' }]);
    await hasty.close();
  });

  it('move a provider to another address', async () => {
    const moved = await startHost({ pspUrls: { stripe: 'http://127.0.0.1:1' } });
    const { body: payment } = await moved.call('POST', '/v1/payments', aPaymentBody());
    expect(payment).toMatchObject({ status: 'failed', failure: { code: 'provider_unavailable' } });
    expect((await moved.control('GET', '/psp/calls')).body.calls).toEqual([]);
    await moved.close();
  });

  it('turn rate limits on', async () => {
    const limited = await startHost({ rateLimits: true });
    // Within one window, however slow the machine is.
    await limited.clock.stand(limited.clock.now());
    const many = await Promise.all(Array.from({ length: 201 }, () => limited.call('GET', '/v1/connections')));
    expect(many.filter(({ status }) => status === 429)).toHaveLength(1);
    await limited.close();
  });
});
