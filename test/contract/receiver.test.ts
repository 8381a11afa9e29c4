import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { postForHead } from '#shared/adapters/net/head-exchange.ts';
import type { Address } from '#shared/adapters/net/name-resolver.ts';
import { makeWebhookHttp, type WebhookHttpOptions } from '#shared/adapters/net/webhook-https.adapter.ts';
import type { Delivery } from '#shared/ports/webhook-http.port.ts';

const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
const PUBLIC: Address = { address: '8.8.8.8', family: 4 };
const LOOPBACK: Address = { address: '127.0.0.1', family: 4 };
const PRIVATE: Address = { address: 'fd00::1', family: 6 };

const receiver = (setup: Partial<WebhookHttpOptions> = {}) => makeWebhookHttp({ clock, ...setup });
const resolving = (...addresses: readonly Address[]) => receiver({ resolve: async () => addresses });
const notFound = () => Promise.reject(Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' }));
const url = 'https://hooks.example.com/in';
const delivery: Delivery = {
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":"é"}',
  timeoutMs: 5_000,
};

describe('checking a webhook URL', () => {
  it('accepts a name with public addresses', async () => {
    await expect(resolving(PUBLIC, { address: '2606:4700::1111', family: 6 }).check(url)).resolves.toBeUndefined();
  });

  it('accepts a name that does not resolve yet', async () => {
    await expect(receiver({ resolve: notFound }).check(url)).resolves.toBeUndefined();
  });

  it.each([
    ['a private address', [PRIVATE]],
    ['one private address among public ones', [PUBLIC, PUBLIC, LOOPBACK]],
  ])('rejects a name with %s', async (_, addresses) => {
    await expect(resolving(...addresses).check(url)).rejects.toMatchObject({ code: 'url_not_allowed', status: 400 });
  });

  it.each(['http://hooks.example.com', 'https://127.0.0.1', 'https://hooks.example.com:22'])(
    'rejects %s without resolving it',
    async (text) => {
      await expect(receiver({ resolve: notFound }).check(text)).rejects.toMatchObject({ code: 'url_not_allowed' });
    },
  );

  it('accepts loopback over http on the local host only', async () => {
    await expect(receiver({ allowLoopbackHttp: true }).check('http://localhost:4002/x')).resolves.toBeUndefined();
    await expect(receiver().check('http://localhost:4002/x')).rejects.toMatchObject({ code: 'url_not_allowed' });
  });
});

describe('posting to a webhook endpoint', () => {
  let server: http.Server;
  let answer: http.RequestListener;
  const seen: { method?: string; path?: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
  const port = () => (server.address() as AddressInfo).port;
  const post = (change: Partial<Delivery> = {}, setup: Partial<WebhookHttpOptions> = {}) =>
    receiver({ allowLoopbackHttp: true, ...setup }).post({
      ...delivery,
      url: `http://127.0.0.1:${port()}/in?x=1`,
      ...change,
    });

  beforeEach(async () => {
    seen.length = 0;
    answer = (_, response) => response.end('ok');
    server = http.createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      seen.push({
        method: request.method,
        path: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      });
      answer(request, response);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends the body and the headers, and returns the status', async () => {
    answer = (_, response) => response.writeHead(204).end();
    expect(await post()).toMatchObject({ statusCode: 204, error: null });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        path: '/in?x=1',
        body: '{"a":"é"}',
        headers: { 'content-type': 'application/json', 'content-length': '10' },
      },
    ]);
  });

  it('returns the start of what a failing endpoint says, and nothing of what an accepting one does', async () => {
    answer = (_, response) => response.writeHead(500).end(`no\u0000 database\n${'x'.repeat(3_000)}`);
    expect((await post()).response).toBe(`no database ${'x'.repeat(488)}`);
    answer = (_, response) => response.writeHead(500, { 'content-encoding': 'gzip' }).end('secret');
    expect((await post()).response).toBeUndefined();
    answer = (_, response) => response.end('fine');
    expect((await post()).response).toBeUndefined();
  });

  /** Answers each request with these bytes. */
  async function rawServer(response: string): Promise<string> {
    const raw = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(response));
    });
    await new Promise<void>((done) => raw.listen(0, '127.0.0.1', done));
    onTestFinished(() => void raw.close());
    return `http://127.0.0.1:${(raw.address() as AddressInfo).port}/in`;
  }

  it.each([
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 2\n\nok', 200],
    ['bare line feeds and no body', 'HTTP/1.1 204 No Content\n\n', 204],
    ['bare line feeds and no headers', 'HTTP/1.0 200 OK\n\nok', 200],
    ['line feeds in its headers only', 'HTTP/1.1 201 Created\r\nA: 1\nB: 2\r\n\r\n', 201],
    ['no reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', 200],
    ['a blank before a colon', 'HTTP/1.1 200 OK\r\nX-Powered-By : php\r\nContent-Length: 0\r\n\r\n', 200],
    [
      'both a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      200,
    ],
    ['chunks that end in line feeds', 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n\n', 200],
    ['letters that are not ASCII', 'HTTP/1.1 200 OK\r\nX-Shop: caf\u00e9\r\nContent-Length: 0\r\n\r\n', 200],
    ['an error in line feeds', 'HTTP/1.1 500 Oops\nRetry-After: 7\n\n', 500],
  ])('takes the status of a response with %s', async (_, response, statusCode) => {
    expect(await post({ url: await rawServer(response) })).toMatchObject({ statusCode, error: null });
  });

  it.each([17, 70, 200])('takes the status of a response with %i KB of headers', async (size) => {
    const cookie = `Set-Cookie: a=${'x'.repeat(1_000)}\r\n`;
    const response = `HTTP/1.1 200 OK\r\n${cookie.repeat(size)}Content-Length: 0\r\n\r\n`;
    expect(await post({ url: await rawServer(response) })).toMatchObject({ statusCode: 200, error: null });
  });

  it.each(['hello\n\n', '<html>\n', 'HTTP/1.1 OK\n\n', 'SSH-2.0-OpenSSH_9.6\r\n', ''])(
    'counts what is no response as a failure: %j',
    async (response) => {
      expect(await post({ url: await rawServer(response) })).toMatchObject({
        statusCode: null,
        error: expect.any(String),
      });
    },
  );

  it('does not follow a redirect', async () => {
    answer = (_, response) => response.writeHead(302, { location: `http://127.0.0.1:${port()}/elsewhere` }).end();
    expect(await post()).toMatchObject({ statusCode: 302, error: null });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['seconds', '120', 120],
    ['a date', 'Thu, 01 Jan 2026 00:01:30 GMT', 90],
    ['a date in the past', 'Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['nonsense', 'soon', undefined],
    ['a fraction', '1.5', undefined],
    ['a negative number', '-5', undefined],
  ])('parses a Retry-After of %s', async (_, value, retryAfter) => {
    answer = (_request, response) => response.writeHead(503, { 'retry-after': value }).end();
    expect(await post()).toMatchObject({ statusCode: 503, retryAfter });
  });

  it('gives up on an endpoint that never responds', async () => {
    answer = () => {};
    expect(await post({ timeoutMs: 50 })).toMatchObject({ statusCode: null, error: 'timeout' });
  });

  it('returns the status of a response that never ends', async () => {
    answer = (_, response) => void response.writeHead(200).write('x');
    expect(await post({ timeoutMs: 50 })).toMatchObject({ statusCode: 200, error: null });
  });

  it('stops reading a response without end', async () => {
    let written = 0;
    answer = (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(8_192))) written += 8_192;
      };
      response.on('drain', more);
      more();
    };
    expect(await post()).toMatchObject({ statusCode: 200, error: null });
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });

  it.each<[string, http.RequestListener, string]>([
    ['closes the connection', (request) => request.socket.destroy(), 'connection reset'],
    ['speaks no HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH\r\n\r\n'), 'invalid response'],
  ])('names the error of an endpoint that %s', async (_, how, error) => {
    answer = how;
    expect(await post()).toMatchObject({ statusCode: null, error });
  });

  it('names the error of an unreachable endpoint, without its address', async () => {
    const address = `http://127.0.0.1:${await closedPort()}/`;
    expect(await post({ url: address })).toEqual({
      statusCode: null,
      durationMs: expect.any(Number),
      error: 'connection refused',
    });
  });

  it('names the error of a name that does not resolve', async () => {
    expect(await receiver({ resolve: notFound }).post(delivery)).toMatchObject({
      statusCode: null,
      error: 'unknown host',
    });
  });

  it('never throws, not even for invalid headers', async () => {
    expect(await post({ headers: { 'x-bad': 'a\nb' } })).toMatchObject({ statusCode: null, error: 'unreachable' });
  });

  it('rejects a name whose address changed after the check', async () => {
    const answers = [[PUBLIC], [LOOPBACK]];
    const rebinding = receiver({ resolve: async () => answers.shift() ?? [] });
    await rebinding.check(url);
    expect(await rebinding.post(delivery)).toMatchObject({ statusCode: null, error: 'not allowed' });
  });

  it.each([
    ['one private address among public ones', [PUBLIC, PRIVATE]],
    ['no address', []],
  ])('does not connect to a name with %s', async (_, addresses) => {
    expect(await resolving(...addresses).post(delivery)).toMatchObject({ statusCode: null, error: 'not allowed' });
  });

  it('resolves a name once per request, and connects to the address that was checked', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked % 2 === 1 ? [LOOPBACK] : [PUBLIC];
    };
    expect(await post({ url: `http://localhost:${port()}/` }, { resolve })).toMatchObject({ statusCode: 200 });
    expect(asked).toBe(1);
  });

  it('resolves the name again for every connection', async () => {
    answer = (_, response) => response.setHeader('connection', 'close').end();
    const answers = [[LOOPBACK], [PRIVATE]];
    const one = receiver({ allowLoopbackHttp: true, resolve: async () => answers.shift() ?? [] });
    const order = { ...delivery, url: `http://localhost:${port()}/` };
    expect([await one.post(order), await one.post(order)]).toMatchObject([
      { statusCode: 200 },
      { error: 'not allowed' },
    ]);
  });

  it.each(['http://127.0.0.2', 'http://[::1]', 'http://10.0.0.1', 'https://127.0.0.1', 'nonsense'])(
    'sends nothing to %s',
    async (target) => {
      expect(await post({ url: target })).toMatchObject({ statusCode: null, error: 'not allowed' });
    },
  );
});

describe('the certificate of an HTTPS endpoint', () => {
  const pem = readFileSync(new URL('../fixtures/self-signed.pem', import.meta.url));
  const pinned: LookupFunction = (_, { all }, callback) =>
    all ? callback(null, [LOOPBACK]) : callback(null, LOOPBACK.address, LOOPBACK.family);

  it('must be trusted', async () => {
    const server = https.createServer({ key: pem, cert: pem }, (_, response) => response.end());
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const target = new URL(`https://hooks.example.com:${(server.address() as AddressInfo).port}/`);
    await expect(
      postForHead({ url: target, headers: {}, body: '', timeoutMs: 5_000, lookup: pinned }),
    ).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    server.close();
  });
});

async function closedPort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
