import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { text as textFrom } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTROL_CALLS, type ControlCall } from '#lib/local/control-calls.ts';
import { CODES_WITHOUT_TOKEN, COMMON_TOKENS, PROVIDER_TOKENS } from '#lib/reference/test-tokens.ts';
import { FAILURES } from '#shared/domain/payments/declines.catalog.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { blocksOf, DOCUMENTS } from '#test/documents/document-blocks.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [...PROVIDERS] });
});
afterAll(() => host?.close());

const load = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${host.info.api}${path}`, { method, headers, redirect: 'manual' });
const loadText = async (path: string, headers: Record<string, string> = {}) => (await load(path, headers)).text();

describe('a page of the documentation', () => {
  it('may load and call nothing but its own origin, and this machine’s control server', async () => {
    const { status, headers } = await load('/docs/errors');
    expect([status, Object.fromEntries(headers)]).toMatchObject([
      200,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
          `connect-src 'self' ${host.controlUrl}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        vary: 'accept, accept-encoding',
      },
    ]);
    expect(headers.has('x-robots-tag')).toBe(false);
  });

  it('has the addresses and the stage of this host', async () => {
    const whole = await loadText('/llms-full.txt');
    expect(whole).toContain(`curl "${host.info.api}/v1/payments"`);
    expect(whole).toContain(`eval "$(curl -sS ${host.controlUrl}/shell)"`);
    expect(whole).not.toMatch(/payfork-(api\.invalid|stage-of|control-of)/);
    expect(whole).toContain(`${host.info.function_url}/webhooks/<provider>`);
    expect(whole).toContain(`${host.controlUrl.replace('127.0.0.1', 'localhost')}/sign-in`);
    expect(whole).not.toMatch(/http:\/\/[\w.]+:400\d/);
    const page = await loadText('/docs');
    expect(page).toContain('<meta name="payfork-stage" content="sandbox">');
    expect(page).toContain(`<meta name="payfork-control" content="${host.controlUrl}">`);
  });

  it('is Markdown with .md at its end, and for programs that ask for that', async () => {
    const markdown = await loadText('/docs/errors.md');
    expect(markdown).toMatch(/^# Errors\n/);
    expect(await loadText('/docs/errors', { accept: 'text/markdown' })).toBe(markdown);
    expect(await loadText('/docs/errors', { accept: 'text/html, text/markdown' })).toMatch(/^<!doctype html>/);
    expect((await load('/docs/index.md')).headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await loadText('/docs', { accept: 'text/markdown' })).toBe(await loadText('/docs/index.md'));
  });

  it('is sent once to those who keep it, compressed to those who accept that, and without a body for HEAD', async () => {
    for (const path of ['/docs', '/docs/api/payments', '/docs/errors.md', '/llms.txt']) {
      const { headers } = await load(path);
      const etag = headers.get('etag') ?? '';
      const again = await load(path, { 'if-none-match': etag });
      expect([again.status, await again.text()], path).toEqual([304, '']);
      const head = await load(path, {}, 'HEAD');
      expect([head.status, head.headers.get('etag'), await head.text()], path).toEqual([200, etag, '']);
    }
    const compressed = await new Promise<Buffer>((resolve, reject) => {
      const asked = request(`${host.info.api}/docs/errors`, { headers: { 'accept-encoding': 'gzip' } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks)));
      });
      asked.on('error', reject).end();
    });
    expect(gunzipSync(compressed).toString()).toBe(await loadText('/docs/errors'));
  });

  it('names a script, styles and a search index by hashes of what they hold', async () => {
    const page = await loadText('/docs');
    const names = [...page.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, name = '']) => name);
    expect(names).toHaveLength(3);
    for (const name of names) {
      expect(name).toMatch(/-[A-Z0-9]{8}\.(js|css|json)$/);
      const { status, headers } = await load(name);
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it.each([
    ['/docs/none', 404, 'text/html; charset=utf-8'],
    ['/docs/none.md', 404, 'text/markdown; charset=utf-8'],
    ['/docs/..%2f..%2fpackage', 404, 'text/html; charset=utf-8'],
    ['/docs/assets/main-AAAAAAAA.js', 404, 'application/json; charset=utf-8'],
    ['/docs/assets/__proto__', 404, 'application/json; charset=utf-8'],
  ])('%s is not there, and the answer says so', async (path, status, type) => {
    const reply = await load(path);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, type]);
  });

  it('stands where the errors of the API lead', async () => {
    const { body } = await host.call('GET', '/v1/payments/pay_none');
    const { pathname, hash } = new URL(body.doc_url);
    expect(await loadText(pathname)).toContain(` id="${hash.slice(1)}"`);
  });
});

describe('what the pages say of the simulators', () => {
  const pay = async (payment_method: Body) => {
    const input = { amount: 4_900, currency: 'EUR', customer_email: 'kim@example.com', payment_method };
    const { body } = await host.call('POST', '/v1/payments', input);
    return body;
  };

  it.each(COMMON_TOKENS)('the token $token leads to $status', async ({ token, status }) => {
    expect((await pay({ type: 'card', token })).status).toBe(status);
  });

  it.each(PROVIDER_TOKENS)('the token $token of $provider leads to $status', async ({ provider, token, status }) => {
    const currency =
      new Map<string, string>([
        ['paystack', 'NGN'],
        ['flutterwave', 'NGN'],
        ['razorpay', 'INR'],
      ]).get(provider) ?? 'EUR';
    const { body } = await host.call('POST', '/v1/payments', {
      amount: 4_900,
      currency,
      customer_email: 'kim@example.com',
      payment_method: { type: 'card', tokens: { [provider]: token } },
    });
    expect([body.status, body.provider]).toEqual([status, provider]);
  });

  it('each failure code can be had by a token of at least one provider', async () => {
    const providers = ['stripe', 'adyen', 'checkout', 'mollie'];
    const never: string[] = [];
    for (const code of Object.keys(FAILURES).filter((each) => !CODES_WITHOUT_TOKEN.some((own) => own === each))) {
      const got = new Set<string>();
      for (const provider of providers) {
        const payment = await pay({ type: 'card', tokens: { [provider]: `decline_${code}` } });
        got.add(payment.failure?.code);
        if (got.has(code)) break;
      }
      if (!got.has(code)) never.push(code);
    }
    expect(never).toEqual([]);
  });
});

const CALLS: readonly ControlCall[] = CONTROL_CALLS;

describe('what the pages say of the control server', () => {
  it('each call works as its example shows', async () => {
    const payment = (
      await host.call('POST', '/v1/payments', {
        amount: 4_900,
        currency: 'EUR',
        payment_method: { type: 'card', tokens: { stripe: 'pending' } },
      })
    ).body;
    const places: Record<string, string> = { PAYMENT_ID: payment.id };
    for (const { method, path, body, example } of CALLS) {
      const filled = JSON.parse(JSON.stringify(example ?? {}), (_, value) => places[value] ?? value);
      const query = body ? '' : `?${new URLSearchParams(filled)}`;
      if (['/sign-in', '/shell'].includes(path)) continue;
      const reply = await host.control(method, path.replace('{name}', 'shop') + query, body && filled);
      expect(reply.status, `${method} ${path}`).toBe(200);
      if (path === '/psp/disputes') places.DISPUTE_REFERENCE = reply.body.reference;
    }
  });
});

const GUIDES = DOCUMENTS.filter((document) => document.startsWith('docs/guides/'));
const PROGRAMS = GUIDES.flatMap((document) =>
  blocksOf(document)
    .filter(({ language }) => language === 'ts')
    .map(({ text, line }) => ({ document, line, text })),
);

describe('the programs of the guides', () => {
  it.each(PROGRAMS)('$document:$line runs as it stands there', async ({ text }) => {
    const client = new URL('../../client/typescript/src/index.ts', import.meta.url).href;
    const program = text.replace("'payfork'", `'${client}'`).replace('http://127.0.0.1:4000', host.info.api);
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '-e', program],
      {
        env: { PAYFORK_KEY: host.info.keys.secret },
      },
    );
    const [out, complaints] = await Promise.all([textFrom(child.stdout), textFrom(child.stderr)]);
    expect(complaints).toBe('');
    expect(out).toMatch(/^(succeeded\n1000|active\n(open|paid) 1500)\n$/);
  });
});
