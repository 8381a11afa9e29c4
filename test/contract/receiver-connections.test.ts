import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import net, { type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { postForHead } from '#shared/adapters/net/head-exchange.ts';
import type { Address, NameResolver } from '#shared/adapters/net/name-resolver.ts';
import { makeReceiverConnections } from '#shared/adapters/net/receiver-connections.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import { SECOND } from '#shared/kernel/clock.ts';

const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
const LOOPBACK: Address = { address: '127.0.0.1', family: 4 };
const PRIVATE: Address = { address: '10.0.0.1', family: 4 };

type Answer = (socket: Socket, n: number) => void;
const servers: net.Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers each request by hand, and counts its connections and requests. */
async function aServer(answer: Answer) {
  const seen = { connections: 0, requests: 0 };
  const server = net.createServer((socket) => {
    seen.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', () => {
      seen.requests += 1;
      answer(socket, seen.requests);
    });
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(seen, { url: `http://localhost:${(server.address() as AddressInfo).port}/in` });
}

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const saying =
  (text: string): Answer =>
  (socket) =>
    void socket.write(text);

/** Loopback is the only address that this process may connect to. */
function aReceiver(resolve: NameResolver = async () => [LOOPBACK]) {
  const http = makeWebhookHttp({ clock, resolve, allowLoopbackHttp: true });
  return (url: string, timeoutMs = 5_000) => http.post({ url, headers: {}, body: '{}', timeoutMs });
}

describe('a connection to a webhook endpoint', () => {
  it.each([
    ['a length', OK],
    ['no body', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nA\r\n0123456789\r\n0\r\n\r\n'],
    ['other headers', 'HTTP/1.1 202 Accepted\r\nX-Note: a: b\r\nSet-Cookie: a=1\r\nContent-Length: 0\r\n\r\n'],
  ])('carries the next event after a response with %s', async (_, response) => {
    const server = await aServer(saying(response));
    const post = aReceiver();
    for (let n = 0; n < 3; n += 1) expect(await post(server.url)).toMatchObject({ error: null });
    expect(server).toMatchObject({ connections: 1, requests: 3 });
  });

  it.each([
    ['fails', 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n', 500],
    ['redirects', 'HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n', 302],
    ['says that it closes', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', 200],
    ['is of the old version', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n', 200],
    ['has bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', 200],
    ['has one bare line feed', 'HTTP/1.1 200 OK\r\nX-A: 1\nX-B: 2\r\nContent-Length: 0\r\n\r\n', 200],
    ['has a blank before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n', 200],
    ['has a folded header', 'HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n', 200],
    [
      'has both a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
      200,
    ],
    [
      'has chunks with an extension',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\n\r\n',
      200,
    ],
    ['has a trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-A: 1\r\n\r\n', 200],
    ['follows an interim one', `HTTP/1.1 103 Early Hints\r\n\r\n${OK}`, 200],
    ['is followed by another one', `${OK}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`, 200],
    ['is longer than what is read', `HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n${'x'.repeat(20_000)}`, 200],
  ])('is closed if the response %s', async (_, response, statusCode) => {
    const server = await aServer(saying(response));
    const post = aReceiver();
    for (let n = 0; n < 2; n += 1) expect(await post(server.url)).toMatchObject({ statusCode });
    await expect.poll(() => sockets.size).toBe(0);
    expect(server).toMatchObject({ connections: 2, requests: 2 });
  });

  it('is closed after a timeout', async () => {
    const server = await aServer((socket, n) => void (n > 1 && socket.write(OK)));
    const post = aReceiver();
    expect(await post(server.url, 50)).toMatchObject({ error: 'timeout' });
    expect(await post(server.url)).toMatchObject({ statusCode: 200 });
    expect(server).toMatchObject({ connections: 2, requests: 2 });
  });

  it('is closed when the endpoint sends anything unasked, which is no response to the next event', async () => {
    const server = await aServer((socket, n) => {
      socket.write(n === 1 ? OK : 'HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n');
      if (n === 1) setTimeout(() => socket.write(OK), 20);
    });
    const post = aReceiver();
    expect(await post(server.url)).toMatchObject({ statusCode: 200 });
    await sleep(60);
    expect(await post(server.url)).toMatchObject({ statusCode: 500 });
    expect(server).toMatchObject({ connections: 2, requests: 2 });
  });

  it('is replaced without a failed delivery if the endpoint closes it just when the next event is sent', async () => {
    const server = await aServer((socket, n) => void (n === 2 ? socket.destroy() : socket.write(OK)));
    const post = aReceiver();
    expect(await post(server.url)).toMatchObject({ statusCode: 200 });
    expect(await post(server.url)).toMatchObject({ statusCode: 200, error: null });
    expect(server).toMatchObject({ connections: 2, requests: 3 });
  });

  it('is not replaced a second time: the delivery has failed', async () => {
    const server = await aServer((socket, n) => void (n > 1 ? socket.destroy() : socket.write(OK)));
    const post = aReceiver();
    await post(server.url);
    expect(await post(server.url)).toMatchObject({ statusCode: null, error: 'connection reset' });
    expect(server).toMatchObject({ connections: 2, requests: 3 });
  });

  it('is replaced by one whose address is checked, like any new one', async () => {
    const server = await aServer((socket, n) => void (n === 2 ? socket.destroy() : socket.write(OK)));
    const answers = [[LOOPBACK], [PRIVATE]];
    const post = aReceiver(async () => answers.shift() ?? []);
    expect(await post(server.url)).toMatchObject({ statusCode: 200 });
    expect(await post(server.url)).toMatchObject({ statusCode: null, error: 'not allowed' });
    expect(server).toMatchObject({ connections: 1, requests: 2 });
  });

  it('of its own is checked for each of several events at once', async () => {
    const server = await aServer(saying(OK));
    const answers = [[LOOPBACK], [PRIVATE], [LOOPBACK, PRIVATE]];
    const post = aReceiver(async () => answers.shift() ?? []);
    const results = await Promise.all([post(server.url), post(server.url), post(server.url)]);
    expect(results.map(({ error }) => error).sort()).toEqual(['not allowed', 'not allowed', null]);
    expect(server.connections).toBe(1);
  });

  it('is not shared with another port of the same name', async () => {
    const [one, other] = [await aServer(saying(OK)), await aServer(saying(OK))];
    const post = aReceiver();
    for (const { url } of [one, other, one, other]) expect(await post(url)).toMatchObject({ statusCode: 200 });
    expect([one, other]).toMatchObject([
      { connections: 1, requests: 2 },
      { connections: 1, requests: 2 },
    ]);
  });

  it('stays open only for a few events at once', async () => {
    const server = await aServer((socket) => void setTimeout(() => socket.write(OK), 50));
    const post = aReceiver();
    await Promise.all(Array.from({ length: 320 }, () => post(server.url)));
    await expect.poll(() => sockets.size).toBeLessThanOrEqual(256);
    expect(server.requests).toBe(320);
  });
});

describe('the time of a connection to a webhook endpoint', () => {
  const lookup: LookupFunction = (_, { all }, callback) =>
    all ? callback(null, [LOOPBACK]) : callback(null, LOOPBACK.address, LOOPBACK.family);

  async function posting() {
    const server = await aServer(saying(OK));
    let now = 0;
    const connections = makeReceiverConnections(() => now);
    const request = { url: new URL(server.url), headers: {}, body: '{}', timeoutMs: 5_000, lookup, connections };
    return {
      server,
      post: () => postForHead(request),
      passes: (ms: number) => {
        now += ms;
      },
    };
  }

  it('ends after four seconds without an event', async () => {
    const { server, post, passes } = await posting();
    await post();
    passes(3.9 * SECOND);
    await post();
    expect(server.connections).toBe(1);
    passes(4 * SECOND);
    await post();
    expect(server.connections).toBe(2);
  });

  it('ends after a minute however many events it carries, so that a changed address is found', async () => {
    const { server, post, passes } = await posting();
    for (let n = 0; n < 40; n += 1) {
      await post();
      passes(2 * SECOND);
    }
    expect(server.connections).toBe(2);
  });
});

describe('an encrypted connection to a webhook endpoint', () => {
  const pem = (name: string) => readFileSync(new URL(`../fixtures/receiver-tls/${name}.pem`, import.meta.url), 'utf8');
  const trusted = tls.getCACertificates('default');
  beforeAll(() => tls.setDefaultCACertificates([...trusted, pem('authority')]));
  afterAll(() => tls.setDefaultCACertificates(trusted));
  const lookup: LookupFunction = (_, { all }, callback) =>
    all ? callback(null, [LOOPBACK]) : callback(null, LOOPBACK.address, LOOPBACK.family);

  it('carries the next event, and none for another name', async () => {
    let [connections, requests] = [0, 0];
    const server = https.createServer({ key: pem('key'), cert: pem('valid') }, (_, response) => {
      requests += 1;
      response.end();
    });
    server.on('secureConnection', (socket) => {
      connections += 1;
      sockets.add(socket);
    });
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const kept = makeReceiverConnections();
    const post = (name: string) => {
      const url = new URL(`https://${name}:${(server.address() as AddressInfo).port}/in`);
      return postForHead({ url, headers: {}, body: '{}', timeoutMs: 5_000, lookup, connections: kept });
    };
    for (let n = 0; n < 3; n += 1) expect(await post('hooks.example.com')).toMatchObject({ status: 200 });
    expect([connections, requests]).toEqual([1, 3]);
    await expect(post('www.hooks.example.com')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    expect(requests).toBe(3);
  });
});
