import { createHook } from 'node:async_hooks';
import channels from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { postForHead } from '#shared/adapters/net/head-exchange.ts';
import type { Address, NameResolver } from '#shared/adapters/net/name-resolver.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import type { Delivery, DeliveryResult } from '#shared/ports/webhook-http.port.ts';
import { familyOf, HOSTILE_ADDRESSES, HOSTILE_URLS } from '#test/support/hostile-addresses.ts';

/** Every connection that this process tries to open, whether it succeeds or not. */
type Tried = { readonly address?: string; readonly port?: number };
const tried: Tried[] = [];
const watch = createHook({
  init: (_, type, __, resource) => {
    if (type === 'TCPCONNECTWRAP') tried.push(resource as Tried);
  },
});
beforeAll(() => void watch.enable());
afterAll(() => void watch.disable());
afterEach(() => {
  tried.length = 0;
});

const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
const at = (address: string): Address => ({ address, family: familyOf(address) });
const PUBLIC = at('8.8.8.8');
const LOOPBACK = at('127.0.0.1');
const resolving = (...answers: readonly (readonly Address[])[]): NameResolver => {
  const left = [...answers];
  return async () => (left.length > 1 ? left.shift() : left[0]) ?? [];
};
const receiver = (resolve: NameResolver) => makeWebhookHttp({ clock, resolve, allowLoopbackHttp: true });
const unasked: NameResolver = () => Promise.reject(new Error('Nobody may be asked for it.'));

const url = 'https://hooks.example.com/in';
const delivery: Delivery = { url, headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5_000 };
const refused = { statusCode: null, durationMs: expect.any(Number), error: 'not allowed' };

describe('a name that resolves to a private address', () => {
  it('is tested with more than forty addresses', () =>
    expect(new Set(HOSTILE_ADDRESSES.map(([, address]) => address)).size).toBeGreaterThanOrEqual(40));

  it.each(HOSTILE_ADDRESSES)('is neither saved nor connected to: %s', async (_, address) => {
    const bad = at(address);
    for (const found of [
      [bad],
      [PUBLIC, bad],
      [bad, PUBLIC],
      [PUBLIC, at('2606:4700:4700::1111'), bad, at('1.1.1.1')],
    ]) {
      const one = receiver(resolving(found));
      await expect(one.check(url)).rejects.toMatchObject({ code: 'url_not_allowed', status: 400 });
      expect(await one.post(delivery)).toEqual(refused);
    }
    expect(tried).toEqual([]);
  });

  it.each(HOSTILE_ADDRESSES)(
    'is not connected to when the address changed after the name was saved: %s',
    async (_, address) => {
      const rebinding = receiver(resolving([PUBLIC], [at(address)]));
      await expect(rebinding.check(url)).resolves.toBeUndefined();
      expect(await rebinding.post(delivery)).toEqual(refused);
      expect(tried).toEqual([]);
    },
  );
});

describe('a URL that is not allowed', () => {
  it.each(HOSTILE_URLS)('is not even resolved: %s', async (_, hostile) => {
    const one = receiver(unasked);
    await expect(one.check(hostile)).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(await one.post({ ...delivery, url: hostile })).toEqual({ ...refused, durationMs: 0 });
    expect(tried).toEqual([]);
  });
});

const opened: net.Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of opened.splice(0)) server.close();
});

async function listening<T extends net.Server>(server: T): Promise<number> {
  opened.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a name that resolves differently each time', () => {
  it('is connected to at the address that was checked, and nowhere else', async () => {
    const closing = http.createServer((_, response) => void response.setHeader('connection', 'close').end());
    const port = await listening(closing);
    let asked = 0;
    const alternating: NameResolver = async () => {
      asked += 1;
      return asked % 2 === 1 ? [LOOPBACK] : [at('127.0.0.2')];
    };
    const one = receiver(alternating);
    const results: DeliveryResult[] = [];
    for (let n = 0; n < 40; n += 1) results.push(await one.post({ ...delivery, url: `http://localhost:${port}/` }));
    expect(results.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    expect(results.filter(({ error }) => error === 'not allowed')).toHaveLength(20);
    expect([asked, tried.map(({ address }) => address)]).toEqual([40, Array.from({ length: 20 }, () => '127.0.0.1')]);
  });

  it('is not connected to when it is resolved after the timeout', async () => {
    const late: NameResolver = async () => {
      await sleep(80);
      return [LOOPBACK];
    };
    const port = await listening(http.createServer((_, response) => void response.end()));
    expect(await receiver(late).post({ ...delivery, url: `http://localhost:${port}/`, timeoutMs: 20 })).toMatchObject({
      statusCode: null,
      error: 'timeout',
    });
    await sleep(120);
    expect(tried).toEqual([]);
  });
});

describe('a redirect', () => {
  it.each([300, 301, 302, 303, 305, 307, 308])('is a response like any other: %i', async (status) => {
    let followed = 0;
    const elsewhere = await listening(
      http.createServer((_, response) => {
        followed += 1;
        response.end();
      }),
    );
    const location = `http://127.0.0.1:${elsewhere}/latest/meta-data`;
    const port = await listening(
      http.createServer(
        (_, response) => void response.writeHead(status, { location, refresh: `0; url=${location}` }).end(),
      ),
    );
    const result = await receiver(unasked).post({ ...delivery, url: `http://127.0.0.1:${port}/` });
    expect([result.statusCode, result.error]).toEqual([status, null]);
    await sleep(20);
    expect([followed, tried.map((each) => each.port)]).toEqual([0, [port]]);
  });
});

describe('a malicious response', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\n';
  const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
  const MOST_READ = 16 * 1024;
  const MAX_HEAD = 256 * 1024;
  /** What the system may deliver at once beyond that. */
  const ONE_READ = 64 * 1024;
  /** Node's diagnostics channel for each client socket. */
  const NEW_SOCKET = 'net.client.socket';

  type Writing = (write: (text: string | Buffer) => boolean, socket: Socket) => void | Promise<void>;
  type Seen = {
    readonly result: DeliveryResult;
    readonly tookMs: number;
    readonly read: number;
    readonly left: number;
  };

  /**
   * Sends a request and lets the server write what it likes. Returns the result, and how much of the response was
   * read.
   */
  async function answering(writing: Writing, timeoutMs = 5_000): Promise<Seen> {
    const port = await listening(
      net.createServer((socket) =>
        socket.once('data', () => void writing((text) => !socket.destroyed && socket.write(text), socket)),
      ),
    );
    let ours: Socket | undefined;
    const see = (message: unknown) => {
      ours ??= (message as { readonly socket: Socket }).socket;
    };
    channels.subscribe(NEW_SOCKET, see);
    const started = monotonic();
    const result = await receiver(unasked).post({ ...delivery, url: `http://127.0.0.1:${port}/`, timeoutMs });
    const tookMs = monotonic() - started;
    channels.unsubscribe(NEW_SOCKET, see);
    await sleep(50);
    return { result, tookMs, read: ours?.bytesRead ?? Number.NaN, left: sockets.size };
  }

  /** Repeatedly, as fast as the other side reads. */
  const flood =
    (first: string, text: string | Buffer): Writing =>
    (write, socket) => {
      write(first);
      const more = () => {
        while (write(text));
      };
      socket.on('drain', more);
      more();
    };
  const drip =
    (first: string, text: string): Writing =>
    async (write) => {
      for (write(first); write(text); ) await sleep(5);
    };

  it.each<[string, Writing]>([
    ['a body without end', flood(`${HEAD}\r\n`, Buffer.alloc(32 * 1024, 'x'))],
    ['a body of a terabyte', flood(`${HEAD}content-length: 1099511627776\r\n\r\n`, Buffer.alloc(32 * 1024, 'x'))],
    ['chunks without end', flood(CHUNKED, `8000\r\n${'x'.repeat(0x8000)}\r\n`)],
    ['a compression bomb', flood(`${HEAD}content-encoding: gzip\r\n\r\n`, gzipSync(Buffer.alloc(16 * 1024 * 1024)))],
  ])('is read up to 16 KB: %s', async (_, writing) => {
    const { result, tookMs, read, left } = await answering(writing);
    expect(result).toMatchObject({ statusCode: 200, error: null });
    expect(read).toBeGreaterThanOrEqual(MOST_READ);
    expect(read).toBeLessThanOrEqual(MOST_READ + ONE_READ);
    expect([tookMs < 2_000, left]).toEqual([true, 0]);
  });

  it.each<[string, Writing]>([
    ['a body that trickles', drip(`${HEAD}\r\n`, 'x')],
    ['chunks that trickle', drip(CHUNKED, '1\r\nx\r\n')],
    ['a body that never comes', drip(`${HEAD}content-length: 100\r\n\r\n`, '')],
  ])('is abandoned at the timeout, with its status: %s', async (_, writing) => {
    const { result, tookMs, read, left } = await answering(writing, 300);
    expect(result).toMatchObject({ statusCode: 200, error: null });
    expect([tookMs < 1_000, read < MOST_READ, left]).toEqual([true, true, 0]);
  });

  it('is not read to its end, however long the timeout', async () => {
    const { result, tookMs, left } = await answering(drip(`${HEAD}\r\n`, 'x'), 30_000);
    expect([result.statusCode, tookMs < 4_000, left]).toEqual([200, true, 0]);
  });

  it.each<[string, Writing, string]>([
    ['a line that trickles', drip('HTTP/1.1 200 ', 'O'), 'timeout'],
    ['headers that trickle', drip(HEAD, 'x-a: b\r\n'), 'timeout'],
    ['one header that trickles', drip(`${HEAD}x-a: `, 'b'), 'timeout'],
    ['early hints without end', drip('', 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'), 'timeout'],
    ['a 100 Continue without anything after it', (write) => void write('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
    ['nothing', () => undefined, 'timeout'],
    ['headers without end', flood(HEAD, `x-a: ${'b'.repeat(1_000)}\r\n`), 'invalid response'],
    ['one header without end', flood(`${HEAD}x-a: `, 'b'.repeat(1_000)), 'invalid response'],
    ['no HTTP', flood('SSH-2.0-OpenSSH\r\n', 'x'.repeat(8_192)), 'invalid response'],
    ['an invalid status', (write) => void write('HTTP/1.1 OK\r\n\r\n'), 'invalid response'],
    ['a status of zero', (write) => void write('HTTP/1.1 000 Zero\r\ncontent-length: 0\r\n\r\n'), 'invalid response'],
    ['an end before the status', (_, socket) => void socket.end(), 'connection reset'],
    [
      'an end after an informational response',
      (_, socket) => void socket.end('HTTP/1.1 103 Early Hints\r\n\r\n'),
      'connection reset',
    ],
    ['an end within the headers', (_, socket) => void socket.end(`${HEAD}x-a`), 'connection reset'],
  ])('is a failure: %s', async (_, writing, error) => {
    const { result, tookMs, read, left } = await answering(writing, 300);
    expect(result).toEqual({ statusCode: null, durationMs: expect.any(Number), error });
    expect([tookMs < 1_000, read <= MAX_HEAD + 2 * ONE_READ, left]).toEqual([true, true, 0]);
  });

  it.each<[string, Writing]>([
    [
      'switches the protocol',
      (write) => void write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    ],
    ['switches the protocol without naming it', (write) => void write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    ['repeats 100 Continue without end', flood('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(300))],
    ['repeats early hints without end', flood('', 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(300))],
    ['consists of empty lines without end', flood('', '\r\n'.repeat(4_000))],
  ])('does not block the delivery when it %s', async (_, writing) => {
    const { result, tookMs, read, left } = await answering(writing, 30_000);
    expect(result).toEqual({ statusCode: null, durationMs: expect.any(Number), error: 'invalid response' });
    expect([tookMs < 1_000, read <= MAX_HEAD + 2 * ONE_READ, left]).toEqual([true, true, 0]);
  });

  it.each<[string, Writing, number]>([
    [
      'informational responses',
      (write) => void write(`${'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)}${HEAD}\r\n`),
      200,
    ],
    [
      'an optional upgrade',
      (write) => void write(`${HEAD}upgrade: h2c\r\nconnection: upgrade\r\ncontent-length: 0\r\n\r\n`),
      200,
    ],
  ])('counts as usual after %s', async (_, writing, status) => {
    expect((await answering(writing, 300)).result).toMatchObject({ statusCode: status, error: null });
  });

  it('counts when it arrives before the request was read', async () => {
    const port = await listening(
      net.createServer((socket) =>
        socket.once('data', () => {
          socket.pause();
          socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n');
        }),
      ),
    );
    const result = await receiver(unasked).post({
      ...delivery,
      url: `http://127.0.0.1:${port}/`,
      body: 'x'.repeat(16 * 1024 * 1024),
    });
    expect(result).toMatchObject({ statusCode: 413, error: null });
  });

  it('counts with its status even if its body ends early or is invalid', async () => {
    for (const rest of [
      'content-length: 100\r\n\r\nx',
      'transfer-encoding: chunked\r\n\r\nnonsense\r\n',
      `transfer-encoding: chunked\r\n\r\n1;${'x'.repeat(40_000)}\r\n`,
    ]) {
      const { result, left } = await answering((write, socket) => {
        write(HEAD + rest);
        socket.end();
      });
      expect([result.statusCode, result.error, left]).toEqual([200, null, 0]);
    }
  });
});

describe('the certificate of a webhook endpoint', () => {
  const pem = (name: string) => readFileSync(new URL(`../fixtures/receiver-tls/${name}.pem`, import.meta.url), 'utf8');
  const trusted = tls.getCACertificates('default');
  beforeAll(() => tls.setDefaultCACertificates([...trusted, pem('authority')]));
  afterAll(() => tls.setDefaultCACertificates(trusted));

  const pinned: LookupFunction = (_, { all }, callback) =>
    all ? callback(null, [LOOPBACK]) : callback(null, LOOPBACK.address, LOOPBACK.family);
  let heard = 0;

  async function post(options: https.ServerOptions, host = 'hooks.example.com') {
    heard = 0;
    const server = https.createServer({ key: pem('key'), ...options }, (_, response) => {
      heard += 1;
      response.end();
    });
    const port = await listening(server);
    const target = new URL(`https://${host}:${port}/in`);
    return postForHead({
      url: target,
      headers: { 'x-service-signature': 'sha256=00' },
      body: '{}',
      timeoutMs: 5_000,
      lookup: pinned,
    });
  }

  it('is accepted if a trusted authority issued it for that name', async () => {
    expect((await post({ cert: pem('valid') })).status).toBe(200);
    expect([heard, tried.map(({ address }) => address)]).toEqual([1, ['127.0.0.1']]);
  });

  it.each([
    ['for another host that also names the address', { cert: pem('other-host') }, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['that has expired', { cert: pem('expired') }, 'CERT_HAS_EXPIRED'],
    ['that is not valid yet', { cert: pem('not-yet-valid') }, 'CERT_NOT_YET_VALID'],
    [
      'of an untrusted authority with the same name',
      { cert: pem('unknown-authority') },
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
  ])('is rejected before anything is sent: one %s', async (_, options, code) => {
    await expect(post(options)).rejects.toMatchObject({ code });
    expect(heard).toBe(0);
  });

  it.each(['hooks.example.com.evil.example', 'example.com', 'www.hooks.example.com'])(
    'is rejected for another name: %s',
    async (host) => {
      await expect(post({ cert: pem('valid') }, host)).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
      expect(heard).toBe(0);
    },
  );

  it('is not requested with an outdated protocol', async () => {
    const old = {
      cert: pem('valid'),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    } as const;
    await expect(post(old)).rejects.toMatchObject({ code: expect.stringMatching(/^(ERR_SSL|EPROTO|ECONNRESET)/) });
    expect(heard).toBe(0);
  });

  it('is required: an endpoint without TLS receives nothing', async () => {
    const got: Buffer[] = [];
    const port = await listening(
      net.createServer((socket) =>
        socket.on('data', (chunk) => {
          got.push(chunk);
          socket.end('HTTP/1.1 200 OK\r\n\r\n');
        }),
      ),
    );
    const sent = postForHead({
      url: new URL(`https://hooks.example.com:${port}/`),
      headers: {},
      body: 'the event',
      timeoutMs: 5_000,
      lookup: pinned,
    });
    await expect(sent).rejects.toMatchObject({ code: expect.stringMatching(/^(ERR_SSL|EPROTO)/) });
    expect(Buffer.concat(got).toString('latin1')).not.toContain('the event');
  });
});
