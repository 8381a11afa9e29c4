import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain } from '#test/support/payment-steps.ts';
import { verified } from '#test/support/standard-webhooks.ts';
import {
  aWorkflowShop,
  requestsTo,
  respondWith,
  type StepInput,
  stepsOf,
  type WorkflowShop,
} from '#test/support/workflow-shop.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const TAG: StepInput = { type: 'tag_payment', metadata: { vip: 'yes' } };
const SECRET_HEADER = 'Bearer canary-7b1c';

/** A shop with an http integration that is called when a payment succeeds. The test endpoint has the shop's name. */
async function aCallingShop(
  more: Body = {},
  ...after: readonly StepInput[]
): Promise<WorkflowShop & { readonly integration: Body }> {
  const shop = await aWorkflowShop(host);
  const integration = await shop.http(shop.org_id, { authorization: SECRET_HEADER, 'X-Own': 'seven' });
  await shop.when(
    'payment.succeeded',
    { id: 'call', type: 'http_request', integration_id: integration.id, ...more },
    ...after,
  );
  return { ...shop, integration };
}

const secretOf = async ({ request: ask, integration }: Awaited<ReturnType<typeof aCallingShop>>): Promise<string> =>
  (await ask('GET', `/v1/workflows/integrations/${integration.id}`)).body.signing_secret;

describe('a request', () => {
  it('is signed like a webhook, and has the headers of its integration', async () => {
    const shop = await aCallingShop();
    await shop.pay();
    const execution = await shop.execution();
    const [request] = await requestsTo(host, shop.org_id);
    const secret = await secretOf(shop);
    const { headers, text } = request!;
    expect(headers).toMatchObject({
      authorization: SECRET_HEADER,
      'x-own': 'seven',
      'content-type': 'application/json',
      'user-agent': 'payfork-workflows',
      'webhook-id': `${execution.id}_call`,
      'x-service-event-id': `${execution.id}_call`,
      'x-service-signature': `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
    });
    expect(verified(secret, text, headers, host.clock.now())).toEqual(JSON.parse(text));
    expect(() => verified(secret, `${text} `, headers, host.clock.now())).toThrow();
    expect(request?.body.timestamp).toBe(Number(headers['webhook-timestamp']));
  });

  it('does not expose its secrets anywhere else', async () => {
    const shop = await aCallingShop();
    await shop.pay();
    const shown = JSON.stringify([
      await shop.execution(),
      (await shop.request('GET', '/v1/workflows/integrations')).body,
      host.logged,
    ]);
    expect(shown).not.toContain('canary-7b1c');
    expect(shown).not.toContain(await secretOf(shop));
  });

  it('is retried with the current headers of its integration', async () => {
    const shop = await aCallingShop();
    await respondWith(host, shop.org_id, 500, 200);
    await shop.pay();
    await shop.executions();
    await shop.change('integrations', shop.integration, { config: { headers: { authorization: 'Bearer new' } } });
    await advance(host, '1m');
    const requests = await requestsTo(host, shop.org_id);
    expect(requests.map(({ headers }) => [headers.authorization, headers['x-own']])).toEqual([
      [SECRET_HEADER, 'seven'],
      ['Bearer new', undefined],
    ]);
  });
});

describe('a request that fails', () => {
  it('is retried with the same id, a new timestamp and a new signature', async () => {
    const shop = await aCallingShop();
    await respondWith(host, shop.org_id, 500, 503, 429, 200);
    await shop.pay();
    expect(await shop.execution()).toMatchObject({
      status: 'waiting',
      steps: [{ status: 'running', tries: 1, output: { status_code: 500 } }],
    });
    await advance(host, '10m');
    const execution = await shop.execution();
    expect(execution).toMatchObject({
      status: 'succeeded',
      steps: [{ tries: 4, error: null, output: { status_code: 200 } }],
    });
    const requests = await requestsTo(host, shop.org_id);
    const secret = await secretOf(shop);
    const times = requests.map(({ headers }) => Number(headers['webhook-timestamp']));
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([`${execution.id}_call`]));
    expect(times.slice(1).map((time, n) => Math.round((time - times[n]!) / 5) * 5)).toEqual([5, 60, 300]);
    for (const [n, { headers, text, body }] of requests.entries()) {
      const [, signature = ''] = String(headers['webhook-signature']).split(',');
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      expect(signature).toBe(
        createHmac('sha256', key).update(`${headers['webhook-id']}.${times[n]}.${text}`).digest('base64'),
      );
      expect(body.timestamp).toBe(times[n]);
    }
  });

  it('fails after six attempts within four hours, and ends the execution', async () => {
    const shop = await aCallingShop({}, TAG);
    await respondWith(host, shop.org_id, 500);
    await shop.pay();
    await advance(host, '4h');
    const execution = await shop.execution();
    expect([execution.status, execution.error, stepsOf(execution), execution.steps[0].tries]).toEqual([
      'failed',
      { code: 'request_failed', message: 'The server responded with 500.' },
      { call: 'failed' },
      6,
    ]);
    expect(await requestsTo(host, shop.org_id)).toHaveLength(6);
    await advance(host, '2d');
    expect(await requestsTo(host, shop.org_id)).toHaveLength(6);
  });

  it('does not stop the other steps when the step says on_error: continue', async () => {
    const shop = await aCallingShop({ on_error: 'continue' }, TAG);
    await respondWith(host, shop.org_id, 500);
    await shop.pay();
    await advance(host, '4h');
    const execution = await shop.execution();
    expect([execution.status, execution.error, stepsOf(execution)]).toEqual([
      'succeeded',
      null,
      { call: 'failed', tag_payment: 'succeeded' },
    ]);
  });

  it.each([400, 401, 404, 410, 422, 301])('is not retried after status %i', async (status) => {
    const shop = await aCallingShop();
    await respondWith(host, shop.org_id, status);
    await shop.pay();
    expect(await shop.execution()).toMatchObject({
      status: 'failed',
      steps: [{ tries: 1, output: { status_code: status } }],
    });
  });

  it.each([408, 409, 425, 429, 500, 502])('is retried after status %i', async (status) => {
    const shop = await aCallingShop();
    await respondWith(host, shop.org_id, status, 204);
    await shop.pay();
    await advance(host, '5s');
    expect(await shop.execution()).toMatchObject({
      status: 'succeeded',
      steps: [{ tries: 2, output: { status_code: 204 } }],
    });
  });
});

describe('slow endpoints', () => {
  it('are called by one worker after the other, once each', async () => {
    const shop = await aWorkflowShop(host);
    await host.control('PUT', `/receiver/${shop.org_id}`, { delay_ms: 5_100 });
    const { id: integration_id } = await shop.http(shop.org_id);
    await shop.when(
      'payment.succeeded',
      ...['one', 'two', 'three'].map((id): StepInput => ({ id, type: 'http_request', integration_id })),
    );
    const run = async () => {
      await shop.pay();
      await drain(host);
    };
    const calls = await callsOf(host, run, 'workflow-runs');
    // One message starts the execution, another one continues it.
    expect(calls.filter(({ point }) => point === 'queue')).toHaveLength(2);
    const { status, steps } = await shop.execution();
    expect([status, steps.map(({ id, tries }: Body) => [id, tries])]).toEqual([
      'succeeded',
      ['one', 'two', 'three'].map((id) => [id, 1]),
    ]);
    expect(await requestsTo(host, shop.org_id)).toHaveLength(3);
  }, 60_000);
});

describe('an endpoint that takes a second', () => {
  const aSlowCall = async (...steps: readonly StepInput[]) => {
    const shop = await aCallingShop({}, ...steps);
    await host.control('PUT', `/receiver/${shop.org_id}`, { delay_ms: 1_000 });
    await shop.pay();
    return shop;
  };
  const onlyOne = async ({ request: ask }: WorkflowShop): Promise<Body> =>
    (await ask('GET', '/v1/workflows/executions')).body.executions[0];
  const lengthOf = ({ started_at, ended_at }: Body): number => Date.parse(ended_at) - Date.parse(started_at);

  it('makes its own step last a second, and not the next one', async () => {
    const shop = await aSlowCall(TAG);
    const { steps, started_at, ended_at } = await shop.execution();
    expect(steps.map(lengthOf)).toEqual([
      expect.toSatisfy((ms: number) => ms >= 1_000),
      expect.toSatisfy((ms: number) => ms < 1_000),
    ]);
    expect([started_at, steps[0].started_at, steps[0].ended_at, steps[1].started_at, ended_at].toSorted()).toEqual([
      started_at,
      steps[0].started_at,
      steps[0].ended_at,
      steps[1].started_at,
      ended_at,
    ]);
  });

  it('has a running step while it is called', async () => {
    const shop = await aSlowCall(TAG);
    await expect.poll(async () => (await requestsTo(host, shop.org_id)).length).toBe(1);
    const { status, started_at, updated_at, steps } = await onlyOne(shop);
    const call = {
      id: 'call',
      type: 'http_request',
      status: 'running',
      tries: 1,
      started_at: expect.stringMatching(/Z$/),
      ended_at: null,
    };
    expect([status, steps]).toEqual(['running', [{ ...call, output: {}, error: null }]]);
    expect([steps[0].started_at >= started_at, steps[0].started_at <= updated_at]).toEqual([true, true]);
    expect((await shop.execution()).steps[0]).toMatchObject({
      ...call,
      status: 'succeeded',
      started_at: steps[0].started_at,
      ended_at: expect.any(String),
    });
  });

  it('has a running step while it is called again', async () => {
    const shop = await aSlowCall();
    await host.control('PUT', `/receiver/${shop.org_id}`, { status: 500, delay_ms: 1_000 });
    const { steps: before, status } = await shop.execution();
    expect([status, before]).toMatchObject(['waiting', [{ status: 'running', tries: 1 }]]);
    const tried = (await requestsTo(host, shop.org_id)).length;
    const advanced = advance(host, '6s');
    await expect.poll(async () => (await requestsTo(host, shop.org_id)).length).toBe(tried + 1);
    expect((await onlyOne(shop)).steps).toEqual([{ ...before[0], tries: 2 }]);
    await advanced;
    expect((await shop.execution()).steps).toMatchObject([
      { status: 'running', tries: 2, started_at: before[0].started_at },
    ]);
  });
});

describe('an endpoint of the customer', () => {
  async function receiver(listener: RequestListener) {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    return { url, close: () => new Promise((resolve) => server.close(resolve)) };
  }
  async function called(listener: RequestListener) {
    const { url, close } = await receiver(listener);
    const shop = await aWorkflowShop(host);
    const { id: integration_id } = await shop.make('integrations', { name: 'Own', type: 'http', config: { url } });
    await shop.when('payment.succeeded', { type: 'http_request', integration_id });
    await shop.pay();
    return { execution: await shop.execution(), close };
  }

  it('is not called again before its Retry-After', async () => {
    const { execution, close } = await called((_, reply) => reply.writeHead(429, { 'retry-after': '240' }).end());
    await close();
    expect(Date.parse(execution.next_step_at) - Date.parse(execution.updated_at)).toBe(240_000);
  });

  it('that closes the connection is called again, and the error does not contain its address', async () => {
    const { execution, close } = await called((request) => request.socket.destroy());
    await close();
    expect(execution).toMatchObject({
      status: 'waiting',
      steps: [{ output: { status_code: null }, error: { code: 'request_failed' } }],
    });
    expect(JSON.stringify(execution)).not.toContain('127.0.0.1');
  });

  it('is not followed when it redirects', async () => {
    const { execution, close } = await called((_, reply) =>
      reply.writeHead(302, { location: `${host.controlUrl}/receiver/elsewhere/hook` }).end(),
    );
    await close();
    expect([execution.status, await requestsTo(host, 'elsewhere')]).toEqual(['failed', []]);
  });
});
