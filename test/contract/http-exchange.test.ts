import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { ExchangeError, type ExchangeRequest, exchange } from '#shared/adapters/net/exchange.ts';
import { postForHead } from '#shared/adapters/net/head-exchange.ts';

const pem = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) =>
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket))),
  );
  closers.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}
const web = (answer: http.RequestListener) => listen(http.createServer(answer));

async function failure(request: Partial<ExchangeRequest> & { url: string }): Promise<ExchangeError> {
  const error = await exchange({ method: 'POST', body: 'secret=1', timeoutMs: 5_000, ...request }).catch(
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ExchangeError);
  return error;
}
const closedPort = async () => {
  const server = net.createServer();
  const port = await listen(server);
  await new Promise((done) => server.close(done));
  return port;
};

describe('an HTTP exchange', () => {
  it('returns status, lower-case headers and the whole body, and sends what it was given', async () => {
    const port = await web((request, response) => {
      request
        .setEncoding('utf8')
        .on('data', (body) =>
          response
            .writeHead(402, { 'X-Seen': `${request.method} ${request.url} ${request.headers['x-one']}` })
            .end(body),
        );
    });
    const reply = await exchange({
      url: `http://127.0.0.1:${port}/a?b=c`,
      method: 'POST',
      headers: { 'X-One': '1' },
      body: 'größe',
      timeoutMs: 2_000,
    });
    expect([reply.status, reply.headers['x-seen'], reply.body.toString()]).toEqual([402, 'POST /a?b=c 1', 'größe']);
  });

  it('sends the length of a body, and of an empty POST', async () => {
    const lengths: unknown[] = [];
    const port = await web((request, response) => {
      lengths.push(request.headers['content-length']);
      response.end();
    });
    for (const body of ['größe', ''])
      await exchange({ url: `http://127.0.0.1:${port}/`, method: 'POST', body, timeoutMs: 2_000 });
    expect(lengths).toEqual(['7', '0']);
  });

  it('follows no redirect', async () => {
    const port = await web((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());
    expect((await exchange({ url: `http://127.0.0.1:${port}/`, method: 'GET', timeoutMs: 2_000 })).status).toBe(302);
  });

  it('reuses its connection', async () => {
    const ports = new Set<number | undefined>();
    const port = await web((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    });
    for (let i = 0; i < 5; i++) await exchange({ url: `http://127.0.0.1:${port}/`, method: 'GET', timeoutMs: 2_000 });
    expect(ports.size).toBe(1);
  });

  it('uses TLS with a trusted certificate, and reuses that connection', async () => {
    const server = https.createServer({ key: pem('key'), cert: pem('cert') }, (request, response) =>
      response.end(String(request.socket.remotePort)),
    );
    const port = await listen(server);
    const agent = new https.Agent({ ca: pem('cert'), keepAlive: true });
    const call = async () =>
      (
        await exchange({ url: `https://localhost:${port}/`, method: 'POST', body: 'x', timeoutMs: 5_000, agent })
      ).body.toString();
    expect(await call()).toBe(await call());
    agent.destroy();
  });

  it('uses the given resolver, not a pooled connection', async () => {
    const port = await web((_, response) => response.end('there'));
    const call = (address: string) =>
      exchange({
        url: `http://shop.example:${port}/`,
        method: 'GET',
        timeoutMs: 2_000,
        lookup: (_host, options, done) => (options.all ? done(null, [{ address, family: 4 }]) : done(null, address, 4)),
      });
    expect((await call('127.0.0.1')).body.toString()).toBe('there');
    await expect(call('127.0.0.2')).rejects.toMatchObject({ kind: 'unreachable', sent: false });
  });
});

/**
 * A server in a thread of its own that accepts no connection until it is released: two wait in its queue, and all
 * others have to retry.
 */
const NOT_YET = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:http').createServer((_, response) => response.end('first'));
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData, 0, 0);
  });`;

async function notYet(): Promise<{ readonly port: number; readonly letGo: () => void }> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(NOT_YET, { eval: true, workerData: gate });
  const port = await new Promise<number>((listening) => worker.once('message', listening));
  const line = Array.from({ length: 4 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
  // Those in the line would otherwise knock again at the same moment as the connection that is tested.
  const letGo = () => {
    for (const socket of line) socket.destroy();
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  closers.push(() => {
    letGo();
    void worker.terminate();
  });
  await pause(50);
  return { port, letGo };
}

it.concurrent.each<[string, (url: URL, lookup: LookupFunction) => Promise<{ readonly status: number }>]>([
  ['a provider', (url, lookup) => exchange({ url: url.href, method: 'POST', body: '{}', timeoutMs: 10_000, lookup })],
  ['a webhook endpoint', (url, lookup) => postForHead({ url, headers: {}, body: '{}', timeoutMs: 10_000, lookup })],
])('gives the first address of %s enough time when the other is unreachable', async (_, call) => {
  const { port, letGo } = await notYet();
  const lookup: LookupFunction = (_host, { all }, done) => {
    const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
    if (all) done(null, addresses);
    else done(null, '127.0.0.1', 4);
  };
  const answer = call(new URL(`http://far.example:${port}/`), lookup);
  await Promise.race([pause(300), answer]);
  letGo();
  expect((await answer).status).toBe(200);
});

describe('an exchange that certainly sent nothing', () => {
  it.each<[string, () => Promise<Partial<ExchangeRequest> & { url: string }>, string]>([
    ['meets a closed port', async () => ({ url: `http://127.0.0.1:${await closedPort()}/` }), 'unreachable'],
    [
      'meets a closed port behind TLS',
      async () => ({ url: `https://127.0.0.1:${await closedPort()}/` }),
      'unreachable',
    ],
    ['finds no address for the name', async () => ({ url: 'http://nowhere.invalid/' }), 'unreachable'],
    [
      'gets no response from the resolver',
      async () => ({ url: 'http://shop.example/', lookup: () => {}, timeoutMs: 50 }),
      'timeout',
    ],
    [
      'has no time left at the start',
      async () => ({ url: `http://127.0.0.1:${await closedPort()}/`, timeoutMs: 0 }),
      'timeout',
    ],
    ['has an invalid address', async () => ({ url: 'not an address' }), 'unreachable'],
    [
      'has an invalid header',
      async () => ({ url: 'http://127.0.0.1:1/', headers: { authorization: 'a\nb' } }),
      'unreachable',
    ],
    [
      'meets a server without TLS',
      async () => ({ url: `https://127.0.0.1:${await web((_, response) => response.end())}/` }),
      'unreachable',
    ],
    [
      'waits for a handshake that never starts',
      async () => ({ url: `https://127.0.0.1:${await listen(net.createServer())}/`, timeoutMs: 100 }),
      'timeout',
    ],
    [
      'is cut off in the handshake',
      async () => ({
        url: `https://127.0.0.1:${await listen(net.createServer((socket) => socket.once('data', () => socket.destroy())))}/`,
      }),
      'unreachable',
    ],
  ])('fails as not sent when it %s', async (_, arrange, kind) => {
    expect(await failure(await arrange())).toMatchObject({ kind, sent: false });
  });

  it.each([
    ['a certificate that is not trusted', 'localhost', undefined],
    ['a certificate for another name', 'shop.example', pem('cert')],
  ])('rejects %s, and the server sees no request', async (_, host, ca) => {
    let requests = 0;
    const port = await listen(https.createServer({ key: pem('key'), cert: pem('cert') }, () => requests++));
    const agent = new https.Agent({ ca, keepAlive: true });
    const lookup: ExchangeRequest['lookup'] = (_host, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    expect(await failure({ url: `https://${host}:${port}/`, agent, lookup })).toMatchObject({
      kind: 'unreachable',
      sent: false,
    });
    await new Promise((later) => setTimeout(later, 50));
    expect(requests).toBe(0);
  });
});

describe('an exchange whose request may have arrived', () => {
  it('is aborted at its deadline if the server never responds', async () => {
    const hungUp = Promise.withResolvers<void>();
    const port = await web((request) => request.socket.on('close', () => hungUp.resolve()));
    const started = performance.now();
    expect(await failure({ url: `http://127.0.0.1:${port}/`, timeoutMs: 150 })).toMatchObject({
      kind: 'timeout',
      sent: true,
    });
    expect(performance.now() - started).toBeGreaterThan(140);
    await hungUp.promise;
  });

  it('fails if the response stops in the middle', async () => {
    const port = await web((_, response) => response.writeHead(200, { 'content-length': '10' }).write('half'));
    expect(await failure({ url: `http://127.0.0.1:${port}/`, timeoutMs: 150 })).toMatchObject({
      kind: 'timeout',
      sent: true,
    });
  });

  it('is aborted if the response trickles past the deadline', async () => {
    const port = await web((_, response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await failure({ url: `http://127.0.0.1:${port}/`, timeoutMs: 200 })).toMatchObject({
      kind: 'timeout',
      sent: true,
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is cut off before a response', (socket) => socket.destroy()],
    ['is reset before a response', (socket) => socket.resetAndDestroy()],
    ['is cut off within the headers', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-')],
    ['is cut off within the body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')],
    [
      'is reset within the body',
      (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => socket.resetAndDestroy()),
    ],
    [
      'is cut off within a chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhal'),
    ],
    ['gets something else than HTTP', (socket) => socket.end('220 mail ready\r\n')],
  ])('fails as unknown when it %s', async (_, answer) => {
    const port = await listen(net.createServer((socket) => socket.once('data', () => answer(socket))));
    expect(await failure({ url: `http://127.0.0.1:${port}/` })).toMatchObject({ kind: 'reset', sent: true });
  });

  it('fails as unknown when the server closes the reused connection', async () => {
    const seen: string[] = [];
    const server = net.createServer((socket) =>
      socket.on('data', (data) => {
        seen.push(data.toString().slice(0, 5));
        if (seen.length === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok');
        else socket.resetAndDestroy();
      }),
    );
    const url = `http://127.0.0.1:${await listen(server)}/`;
    await exchange({ url, method: 'POST', body: 'a', timeoutMs: 2_000 });
    expect(await failure({ url })).toMatchObject({ kind: 'reset', sent: true });
    expect(seen.length).toBe(2);
  });

  it('fails if the response is too large', async () => {
    const port = await web((_, response) => response.end('x'.repeat(5_000)));
    expect(await failure({ url: `http://127.0.0.1:${port}/`, maxBytes: 4_999 })).toMatchObject({
      kind: 'too_large',
      sent: true,
    });
    expect(
      (await exchange({ url: `http://127.0.0.1:${port}/`, method: 'GET', timeoutMs: 2_000, maxBytes: 5_000 })).body
        .length,
    ).toBe(5_000);
  });
});

it('reveals nothing of the request in its error', async () => {
  const error = await failure({
    url: `http://127.0.0.1:${await closedPort()}/path?q=canary`,
    headers: { authorization: 'Bearer canary' },
    body: 'canary',
  });
  expect(JSON.stringify([error.message, error.stack, { ...error }])).not.toContain('canary');
  expect(error.code).toBe('ECONNREFUSED');
});
