import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { type AnyRoute, isRaw, type Route } from '#shared/http/route.ts';
import { admission } from '#test/http/bad-input.support.ts';
import { startWatchedHost, type WatchedHost } from '#test/http/watched-host.support.ts';
import { aGuest, aLink } from '#test/support/guest-browser.ts';
import { type CallOptions, requestCallsOf } from '#test/support/host.ts';
import { advance, arrange } from '#test/support/payment-steps.ts';
import { mailedToken, verify } from '#test/support/people.ts';

let host: WatchedHost;
let admit: (route: Route) => CallOptions;
beforeAll(async () => {
  host = await startWatchedHost();
  admit = await admission(host);
});
afterAll(() => host?.close());

const GETS: readonly AnyRoute[] = Object.values(ROUTES)
  .flat()
  .filter(({ method }) => method === 'GET');

/** Of some resource that does not exist: the status is the same either way. */
const pathOf = ({ path }: AnyRoute): string => path.replaceAll(/\{\w+\}/g, 'none');

describe.each(GETS)('HEAD $path', (route) => {
  it('answers as GET does, without a body', async () => {
    const { key = host.info.keys.secret, headers }: CallOptions = isRaw(route) ? { key: null } : admit(route);
    const credentials = { ...headers, ...(key !== null && { authorization: `Bearer ${key}` }) };
    const send = (method: string) => fetch(`${host.info.api}${pathOf(route)}`, { method, headers: credentials });
    const [head, get] = [await send('HEAD'), await send('GET')];
    const isUsedUp = 'usesUp' in route && route.usesUp === true;
    expect([head.status, await head.text()]).toEqual([isUsedUp ? 200 : get.status, '']);
    expect(head.headers.getSetCookie()).toEqual([]);
    if (!isUsedUp) expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
  });
});

it('HEAD finds the page of a payment link and the sign-in page', async () => {
  const link = await aLink(host);
  for (const url of [link.url, `${host.info.api}/sign-in`, `${host.info.api}/openapi.json`]) {
    const reply = await fetch(url, { method: 'HEAD' });
    expect([reply.status, await reply.text()], url).toEqual([200, '']);
  }
});

it('HEAD needs the same credentials as GET', async () => {
  const reply = await fetch(`${host.info.api}/v1/payments`, { method: 'HEAD' });
  expect([reply.status, await reply.text()]).toEqual([401, '']);
});

it('HEAD uses up no sign-in link', async () => {
  const token = await mailedToken(host, 'checked@example.com');
  for (const path of ['/sign-in', '/v1/auth/verify']) {
    const reply = await fetch(`${host.info.api}${path}?token=${token}`, { method: 'HEAD' });
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([200, []]);
  }
  expect((await verify(host, token)).status).toBe(200);
});

it('HEAD of a page whose payment is without an answer asks no provider, and settles nothing', async () => {
  const link = await aLink(host);
  const visitor = aGuest(host);
  await arrange(host, 'http_500', { times: 1 });
  const { url } = await visitor.submit(await visitor.open(link.url), 'start');
  await advance(host, '20s');
  const asked = (method: string) => requestCallsOf(host, () => fetch(url, { method, redirect: 'manual' }));
  const [head, get] = [await asked('HEAD'), await asked('GET')];
  // The one update counts the request.
  expect(head.filter(({ point, method }) => point !== 'table' || /^(put|delete|transact)/.test(method))).toEqual([]);
  expect(get.map(({ point }) => point)).toContain('psp');
});
