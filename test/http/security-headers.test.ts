import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { platformRoutes } from '#functions/platform/platform.routes.ts';
import { apiRouter } from '#shared/http/api-router.ts';
import { apiEvent } from '#test/support/aws-events.ts';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const HEADERS = ['nosniff', 'max-age=31536000'];
const headersOf = (headers: Headers) =>
  ['x-content-type-options', 'strict-transport-security'].map((name) => headers.get(name));

it.each<[string, () => string, RequestInit?]>([
  ['an answer', () => `${host.info.api}/v1/payments`, { headers: { authorization: '' } }],
  ['an endpoint that does not exist', () => `${host.info.api}/nothing`],
  ['an unreadable body', () => `${host.info.api}/v1/auth/magic-link`, { method: 'POST', body: '{' }],
  [
    'a body that is too large for the gateway',
    () => `${host.info.api}/v1/payments`,
    { method: 'POST', body: 'x'.repeat(11_000_000) },
  ],
  ['a HEAD request', () => `${host.info.api}/openapi.json`, { method: 'HEAD' }],
  ['the API document', () => `${host.info.api}/openapi.json`],
  ['a preflight', () => `${host.info.api}/v1/payments`, { method: 'OPTIONS' }],
  ['the sign-in page', () => `${host.info.api}/sign-in`],
  ['the page of a link that does not exist', () => `${host.info.api}/pay/plink_01jzzzzzzzfz0a1b2c3d4e5f6g`],
  ['a callback of no provider', () => `${host.info.api}/v1/webhooks/psp/none/conn_1`, { method: 'POST', body: '{}' }],
  ['the control server', () => `${host.controlUrl}/`],
  ['an error of the control server', () => `${host.controlUrl}/nothing`],
])('%s forbids browsers to guess its type, and to come back without https', async (_, url, init) => {
  const { headers } = await fetch(url(), init);
  expect(headersOf(headers)).toEqual(HEADERS);
});

it('a request that is no HTTP gets these headers too', async () => {
  const { hostname, port } = new URL(host.info.api);
  const text = await new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => void socket.write('NONSENSE\r\n\r\n'));
    socket.on('data', (part) => void parts.push(part)).on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(parts).toString()));
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(text).toContain('x-content-type-options: nosniff\r\nstrict-transport-security: max-age=31536000\r\n');
});

it('a function sets them itself, whatever is in front of it', async () => {
  const { headers = {} } = await apiRouter(platformRoutes, host.deps)(apiEvent('GET /v1/platform/organizations'), {});
  expect([headers['x-content-type-options'], headers['strict-transport-security']]).toEqual(HEADERS);
});
