import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cloudWatchLog } from '#shared/adapters/aws/cloudwatch-log.adapter.ts';
import { jsonLog } from '#shared/adapters/local/json-log.adapter.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { aPaymentBody, type Body, type CallOptions, startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, drain } from '#test/support/payment-steps.ts';

/** Whoever knows an `X-Request-Id` finds what was logged of the request, and of what it began. */

const written: string[] = [];
const out = { write: (line: string) => written.push(line) };
const [local, aws]: readonly LogPort[] = [jsonLog(out, systemClock), cloudWatchLog({ stage: 'sandbox', out })];
const toBoth =
  (level: keyof LogPort): LogPort[typeof level] =>
  (event, fields) => {
    local?.[level](event, fields);
    aws?.[level](event, fields);
  };
const log: LogPort = { info: toBoth('info'), warn: toBoth('warn'), error: toBoth('error') };

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ log });
});
afterAll(() => host?.close());

const lines = (text: string): Body[] => written.filter((line) => line.includes(text)).map((line) => JSON.parse(line));
const nameOf = ({ event, message }: Body): string => event ?? message;
const pay = (how: CallOptions = {}, more = {}) => host.call('POST', '/v1/payments', aPaymentBody('ok', more), how);
const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('a request', () => {
  it('is found by its X-Request-Id, with its route, its status, its organization and what it made', async () => {
    const { headers, body } = await pay();
    const found = lines(String(headers.get('x-request-id'))).filter((line) => nameOf(line) === 'request_completed');
    expect(found).toHaveLength(2);
    // The gateway's own log knows its own id alone: so that is ours, behind our prefix.
    expect(headers.get('x-request-id')).toBe(`req_${headers.get('apigw-requestid')}`);
    for (const line of found)
      expect(line).toMatchObject({
        request_id: headers.get('x-request-id'),
        trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
        route: 'POST /v1/payments',
        status: 201,
        org_id: host.info.org_id,
        resource_id: body.id,
      });
  });

  it.each([
    ['a refusal', () => host.call('POST', '/v1/payments', {}), 400],
    ['a stranger', () => host.call('GET', '/v1/payments', undefined, { key: null }), 401],
    ['an unknown path', () => host.call('GET', '/v2'), 404],
    ['a page', () => host.call('GET', '/pay/plink_none', undefined, { key: null }), 404],
    ['a callback', () => host.call('POST', '/webhooks/acme', {}, { key: null }), 404],
    ['HEAD', () => fetch(`${host.info.api}/sign-in`, { method: 'HEAD' }), 200],
  ] as const)('is found whatever its end was: %s', async (_, send, status) => {
    const { headers } = await send();
    const found = lines(String(headers.get('x-request-id'))).filter((line) => nameOf(line) === 'request_completed');
    expect(found.map((line) => line.status)).toEqual([status, status]);
  });

  it('belongs to the trace that its caller has begun', async () => {
    const given = async (headers: Record<string, string>) => {
      const reply = await host.call('GET', '/v1/payments?limit=1', undefined, { headers });
      return lines(String(reply.headers.get('x-request-id')))[0].trace_id;
    };
    expect(await given({ traceparent: `00-${TRACE}-b7ad6b7169203331-01` })).toBe(TRACE);
    const amazon = 'Self=1-67891234-12456789abcdef012345678;Root=1-67891233-abcdef012345678912345678';
    expect(await given({ 'x-amzn-trace-id': amazon })).toBe('67891233abcdef012345678912345678');
    for (const text of ['00-zz', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`, '"}\n{"level":"ERROR"'.replace('\n', ' ')])
      expect(await given({ traceparent: text })).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  });

  it('names itself in what it logs of its calls to a provider, and no other request does', async () => {
    await arrange(host, 'http_500', { times: 1 });
    const [{ headers }, other] = await Promise.all([pay(), host.call('GET', '/v1/payments?limit=1')]);
    const named = (id: string | null) => lines(String(id)).map(nameOf);
    expect(named(headers.get('x-request-id'))).toContain('psp_no_verdict');
    expect(named(other.headers.get('x-request-id'))).toEqual(['request_completed', 'request_completed']);
    await host.control('DELETE', '/psp/scenario');
  });
});

describe('the id of a request', () => {
  const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;
  const receive = async () => {
    const receiver = randomUUID();
    const url = `${host.controlUrl}/receiver/${receiver}/hook`;
    expect((await host.call('POST', '/v1/webhooks/config', { url, events: ['*'] })).status).toBe(200);
    return receiver;
  };
  const inCloudWatch = (id: string | null) =>
    lines(String(id)).filter(({ level }) => level !== undefined && !/[a-z]/.test(level));
  const kinds = (id: string | null) => [...new Set(inCloudWatch(id).map(nameOf))].sort();

  it('is in every line about its provider call, its outcome and each delivery of its events, and so is its trace', async () => {
    await receive();
    const { headers, body } = await pay({ headers: { traceparent: TRACEPARENT } });
    await drain(host);
    const id = headers.get('x-request-id');
    expect(kinds(id)).toEqual(['delivery_tried', 'payment_settled', 'psp_called', 'request_completed']);
    expect(inCloudWatch(id).filter((line) => nameOf(line) === 'delivery_tried')).toHaveLength(2);
    for (const line of inCloudWatch(id)) expect(line).toMatchObject({ request_id: id, trace_id: TRACE });
    const about = lines(body.id).filter((line) => line.request_id !== id);
    expect(about).toEqual([]);
  });

  it('reaches the deliveries of each event by the request that made it, also beside events of another request', async () => {
    await receive();
    const paid = await pay();
    const refunded = await host.call('POST', `/v1/payments/${paid.body.id}/refund`, {});
    await drain(host);
    const delivered = (id: string | null) => inCloudWatch(id).filter((line) => nameOf(line) === 'delivery_tried');
    expect(delivered(paid.headers.get('x-request-id'))).toHaveLength(2);
    expect(delivered(refunded.headers.get('x-request-id'))).toHaveLength(1);
  });

  it.each([
    ['', 'order_4711-b'],
    [', of 64 characters,', 'a'.repeat(64)],
  ])(
    'is beside that of the caller%s in every line, also of what follows from the request, and never replaced by it',
    async (_, own) => {
      await receive();
      const { headers, body } = await pay({ headers: { 'x-request-id': own, traceparent: TRACEPARENT } });
      await drain(host);
      const id = headers.get('x-request-id');
      expect(id).toBe(`req_${headers.get('apigw-requestid')}`);
      expect(kinds(id)).toEqual(['delivery_tried', 'payment_settled', 'psp_called', 'request_completed']);
      for (const line of inCloudWatch(id))
        expect(line).toMatchObject({ request_id: id, client_request_id: own, trace_id: TRACE });
      expect(lines(body.id).filter((line) => line.client_request_id !== own)).toEqual([]);
    },
  );

  it.each([
    ['is too long', 'a'.repeat(65)],
    ['has other characters', 'order 4711'],
    ['is empty', ''],
    ['is a card number', '4242424242424242'],
    ['is a key', 'sk_live_0123456789abcdef'],
  ])('stands alone where that of the caller %s', async (_, own) => {
    const { headers } = await host.call('GET', '/v1/payments?limit=1', undefined, { headers: { 'x-request-id': own } });
    const found = inCloudWatch(headers.get('x-request-id'));
    expect(found).toHaveLength(1);
    expect(found[0]).not.toHaveProperty('client_request_id');
    if (own.length > 10) expect(written.filter((line) => line.includes(own))).toEqual([]);
  });

  it('stays with an event whose delivery fails and is tried again by the sweep, days later', async () => {
    const receiver = await receive();
    await host.control('PUT', `/receiver/${receiver}`, { status: 500 });
    const { headers } = await pay();
    await drain(host);
    await advance(host, '10h');
    await drain(host);
    const found = inCloudWatch(headers.get('x-request-id')).filter((line) => nameOf(line) === 'delivery_tried');
    expect(found.length).toBeGreaterThan(8);
  });

  it('is not shown by anything that the API returns, but the trace goes to the endpoint as a traceparent', async () => {
    const receiver = await receive();
    const { headers, body } = await pay({ headers: { traceparent: TRACEPARENT } });
    await drain(host);
    const id = String(headers.get('x-request-id'));
    const shown = await Promise.all(
      [`/v1/payments/${body.id}`, '/v1/webhooks/events?limit=5'].map((path) => host.call('GET', path)),
    );
    for (const reply of shown) expect(JSON.stringify(reply.body)).not.toContain(id);
    const got: readonly Body[] = (await host.control('GET', `/receiver/${receiver}`)).body.deliveries;
    expect(got).toHaveLength(2);
    const sent = got.map((request) => request.headers.traceparent);
    for (const parent of sent) expect(parent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(new Set(sent).size).toBe(2);
    for (const request of got) expect(JSON.stringify(request)).not.toContain(id);
  });

  it('is that of a run for what the timers do, which no request has caused', async () => {
    await arrange(host, 'http_500', { times: 1 });
    const { headers, body } = await pay();
    await host.control('DELETE', '/psp/scenario');
    await advance(host, '9d');
    await drain(host);
    const causes = lines(body.id).flatMap(({ request_id }) => request_id ?? []);
    expect(causes).toContain(headers.get('x-request-id'));
    expect(causes).toContainEqual(expect.stringMatching(/^run_/));
  });
});
