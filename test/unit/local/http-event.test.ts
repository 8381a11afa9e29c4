import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EntryPoint, httpEvent } from '#lib/local/http-event.ts';
import { type LocalServer, listen, readBody, writeJson } from '#lib/local/http-server.ts';
import { routeMatcher } from '#shared/http/route-match.ts';

const at = new Date('2026-03-02T19:03:58.123Z');
let server: LocalServer;
let entrance: EntryPoint = 'api';

/** A server that responds with the event it would deliver to a function. */
beforeAll(async () => {
  server = await listen(0, 'the test');
  const match = routeMatcher([
    { method: 'GET', path: '/v1/payments/{id}' },
    { method: 'GET', path: '/v1/payments/stats' },
    { method: 'POST', path: '/v1/payments/{id}/refund' },
  ]);
  server.serve(async (message, response) => {
    const found = match(message.method ?? '', (message.url ?? '').split('?')[0] ?? '');
    const routeKey = found ? `${found.line.method} ${found.line.path}` : '$default';
    const body = (await readBody(message, 1_000)) ?? Buffer.alloc(0);
    writeJson(
      response,
      200,
      httpEvent({ entrance, message, body, routeKey, pathParameters: found?.params, requestId: 'request', at }),
    );
  });
});
afterAll(() => server.close());

type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string | Buffer;
};

function eventOf({ method = 'GET', path = '/', headers = {}, body }: Sent) {
  return new Promise<Record<string, unknown>>((resolve, reject) => {
    const outgoing = request(`${server.address}${path}`, { method, headers }, async (reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of reply) chunks.push(chunk);
      resolve(JSON.parse(Buffer.concat(chunks).toString()));
    });
    outgoing.on('error', reject).end(body);
  });
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

describe('the event of an HTTP request', () => {
  it.each<[string, Sent, Record<string, unknown>]>([
    [
      'has JSON unchanged',
      { method: 'POST', headers: json, body: '{"a":"ü"}' },
      { body: '{"a":"ü"}', isBase64Encoded: false },
    ],
    [
      'has text unchanged',
      { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hi' },
      { body: 'hi', isBase64Encoded: false },
    ],
    ['has a form as base64', { method: 'POST', headers: form, body: 'a=1' }, { body: 'YT0x', isBase64Encoded: true }],
    [
      'has a body without a content type as base64',
      { method: 'POST', body: 'a' },
      { body: 'YQ==', isBase64Encoded: true },
    ],
    [
      'has bytes that are not text as base64',
      { method: 'POST', headers: json, body: Buffer.from([0xff]) },
      { body: '/w==', isBase64Encoded: true },
    ],
    [
      'has cookies separate from its headers',
      { headers: { cookie: 'a=1; b=2' } },
      { cookies: ['a=1', 'b=2'], headers: expect.not.objectContaining({ cookie: expect.anything() }) },
    ],
    [
      'joins repeated headers with commas',
      { headers: { 'X-Thing': ['one', 'two'] } },
      { headers: expect.objectContaining({ 'x-thing': 'one,two' }) },
    ],
    [
      'joins repeated parameters with commas',
      { path: '/?a=1&a=2&b=x%20y' },
      { rawQueryString: 'a=1&a=2&b=x%20y', queryStringParameters: { a: '1,2', b: 'x y' } },
    ],
    [
      'has the route and its parameters',
      { method: 'POST', path: '/v1/payments/pay_1/refund' },
      { routeKey: 'POST /v1/payments/{id}/refund', pathParameters: { id: 'pay_1' } },
    ],
    ['prefers a fixed path to a parameter', { path: '/v1/payments/stats' }, { routeKey: 'GET /v1/payments/stats' }],
    [
      'decodes path and parameters',
      { path: '/v1/payments/a%2Fb%20c' },
      { rawPath: '/v1/payments/a/b c', pathParameters: { id: 'a/b c' } },
    ],
    ['keeps broken encoding', { path: '/v1/payments/%zz' }, { pathParameters: { id: '%zz' } }],
    ['is $default for another method', { method: 'PUT', path: '/v1/payments/stats' }, { routeKey: '$default' }],
    ['is $default with a trailing slash', { path: '/v1/payments/stats/' }, { routeKey: '$default' }],
    [
      'has the source IP, the time and the domain',
      { path: '/v1/payments/x?y', headers: { 'user-agent': 'test/1' } },
      {
        version: '2.0',
        requestContext: expect.objectContaining({
          stage: '$default',
          routeKey: 'GET /v1/payments/{id}',
          domainName: '127.0.0.1',
          time: '02/Mar/2026:19:03:58 +0000',
          timeEpoch: at.getTime(),
          http: {
            method: 'GET',
            path: '/v1/payments/x',
            protocol: 'HTTP/1.1',
            sourceIp: '127.0.0.1',
            userAgent: 'test/1',
          },
        }),
      },
    ],
  ])('%s', async (_, sent, expected) => {
    entrance = 'api';
    expect(await eventOf(sent)).toMatchObject(expected);
  });

  it('has no fields for what the request does not have', async () => {
    entrance = 'api';
    const names = Object.keys(await eventOf({})).sort();
    expect(names).toEqual([
      'headers',
      'isBase64Encoded',
      'rawPath',
      'rawQueryString',
      'requestContext',
      'routeKey',
      'version',
    ]);
  });

  it('keeps the encoded path, and has no route, at a function URL', async () => {
    entrance = 'function-url';
    expect(await eventOf({ path: '/v1/payments/a%20b' })).toMatchObject({
      rawPath: '/v1/payments/a%20b',
      routeKey: '$default',
    });
  });
});
