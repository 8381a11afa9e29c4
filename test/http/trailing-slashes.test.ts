import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

/** Unlike fetch, it changes nothing of the path. */
const send = (path: string, method = 'GET') =>
  new Promise<readonly [number | undefined, string | undefined]>((resolve, reject) => {
    const { hostname, port } = new URL(host.info.api);
    const sent = request({ hostname, port, path, method }, (response) => {
      response.resume().on('end', () => resolve([response.statusCode, response.headers.location]));
    });
    sent.on('error', reject).end();
  });

describe('the address of a page with a slash at its end', () => {
  it.each([
    ['/docs/', '/docs'],
    ['/docs/payments/', '/docs/payments'],
    ['/docs/api/payments/', '/docs/api/payments'],
    ['/dashboard/', '/dashboard'],
    ['/dashboard/payments/pay_1/', '/dashboard/payments/pay_1'],
    ['/sign-in/?token=a%2Fb&x=1', '/sign-in?token=a%2Fb&x=1'],
    ['/account-link/', '/account-link'],
    ['/docs/%65rrors/', '/docs/errors'],
  ])('%s leads to %s for good, with its query', async (path, location) => {
    expect(await send(path)).toEqual([308, location]);
    expect(await send(path, 'HEAD')).toEqual([308, location]);
  });

  it.each([
    '//evil.example/',
    '/%2fevil.example/',
    '/%5cevil.example/',
    '/\\evil.example/',
    '/docs//evil.example/',
    '/docs/%2fevil.example/',
    '/docs/\\evil.example/',
    '/docs/%5c%5cevil.example/',
    '/docs/../..//evil.example/',
    '/docs/%2e%2e/%2e%2e/',
    '/docs/%0d%0aset-cookie:a/',
    '/docs//',
    '/',
    '/https://evil.example/',
  ])('%s leads nowhere', async (path) => {
    expect(await send(path)).toEqual([404, undefined]);
  });

  it.each(['/v1/payments/', '/v1/payments/pay_1/', '/v1/health/', '/nothing/', '/webhooks/stripe/'])(
    '%s is no page: it is not there',
    async (path) => {
      expect(await send(path)).toEqual([404, undefined]);
    },
  );

  it('is not there for a form, which a browser would send again', async () => {
    expect(await send('/docs/', 'POST')).toEqual([404, undefined]);
  });
});
