import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

const load = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${host.info.api}${path}`, { method, headers, redirect: 'manual' });
const page = async (): Promise<string> => (await load('/dashboard')).text();
const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, address = '']) =>
    address.startsWith('data:') ? [] : address,
  );

it('the page of the dashboard may load and call nothing but its own origin, and this machine’s control server', async () => {
  const { status, headers } = await load('/dashboard');
  expect([status, Object.fromEntries(headers)]).toMatchObject([
    200,
    {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        `connect-src 'self' ${host.controlUrl}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    },
  ]);
  const text = await page();
  expect(text).toContain(`<meta name="payfork-control" content="${host.controlUrl}">`);
  expect(text).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https:\/\//);
});

it('every address of a screen gets the same page, which names files by hashes of what they hold', async () => {
  const text = await page();
  for (const path of ['/dashboard/payments', '/dashboard/payments/pay_1?status=failed', '/dashboard/a/b/c'])
    expect(await (await load(path)).text()).toBe(text);
  const files = filesIn(text);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    expect(file).toMatch(/^\/dashboard\/assets\/[\w.-]+-[A-Z0-9]{8}\.(js|css|svg)$/);
    const { status, headers } = await load(file);
    expect([status, headers.get('cache-control'), headers.get('cross-origin-resource-policy')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'same-origin',
    ]);
  }
});

it('the files of the dashboard are compressed for those who accept that, and the same for others', async () => {
  const script = filesIn(await page()).find((file) => file.endsWith('.js')) ?? '';
  const asSent = (accepted: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      type: string | undefined;
      encoding: string | undefined;
      bytes: Buffer;
    }>();
    request(`${host.info.api}${script}`, { headers: { 'accept-encoding': accepted } }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const { 'content-type': type, 'content-encoding': encoding } = response.headers;
      resolve({ type, encoding, bytes: Buffer.concat(parts) });
    })
      .on('error', reject)
      .end();
    return promise;
  };
  const [compressed, plain] = [await asSent('gzip, deflate, br'), await asSent('identity')];
  expect([compressed.encoding, plain.encoding]).toEqual(['gzip', undefined]);
  for (const { type } of [compressed, plain]) expect(type).toBe('text/javascript; charset=utf-8');
  expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true);
});

it('sends nothing of the dashboard to those who have it already', async () => {
  const [script = ''] = filesIn(await page());
  for (const path of ['/dashboard', '/dashboard/payments', script]) {
    const etag = (await load(path)).headers.get('etag') ?? '';
    const again = await load(path, { 'if-none-match': etag });
    expect([path, again.status, await again.text()]).toEqual([path, 304, '']);
    expect((await load(path, { 'if-none-match': '"another"' })).status).toBe(200);
  }
});

it.each([
  '/dashboard/assets/main-AAAAAAAA.js',
  '/dashboard/assets/..%2f..%2fpackage.json',
  '/dashboard/assets/constructor',
  '/dashboard/assets/__proto__',
])('%s is no file of the dashboard', async (path) => {
  const response = await load(path);
  const text = await response.text();
  expect([response.status, JSON.parse(text).code, response.headers.get('cache-control')]).toEqual([
    404,
    'not_found',
    'no-store',
  ]);
});

it('the dashboard can be asked for, and not posted to', async () => {
  const head = await load('/dashboard', {}, 'HEAD');
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([
    200,
    '',
    (await load('/dashboard')).headers.get('etag'),
  ]);
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await load('/dashboard', {}, method)).status).toBe(405);
});
