import { createHook } from 'node:async_hooks';
import { type ChildProcess, spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import ipaddr from 'ipaddr.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exchange } from '#shared/adapters/net/exchange.ts';
import { makeNameResolver, type NameResolver } from '#shared/adapters/net/name-resolver.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import { monotonic } from '#shared/kernel/clock.ts';
import type { Delivery } from '#shared/ports/webhook-http.port.ts';

const A = 1;
const AAAA = 28;
const CNAME = 5;
/** Addresses of the requested family; `-> name` is an alias. No such addresses mean an empty response. */
type Answer = readonly string[] | 'no such name' | 'failure' | 'refused' | 'silence';
const RCODES = { failure: 2, 'no such name': 3, refused: 5 } as const;

/** The response of the name server to a name and a family. */
let says: (name: string, type: typeof A | typeof AAAA) => Answer | Promise<Answer>;
let asked: string[] = [];
const server = dgram.createSocket('udp4');
let servers: readonly string[];

beforeAll(async () => {
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
  server.on('message', async (query, from) => {
    const { name, type, end } = questionOf(query);
    asked.push(`${type === A ? 'A' : 'AAAA'} ${name}`);
    const answer = await says(name, type === A ? A : AAAA);
    if (answer !== 'silence') server.send(reply(query.subarray(0, end), answer), from.port, from.address);
  });
});
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
  says = () => 'no such name';
});

function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/**
 * A header, the question as it was sent, and the records; an owner that is a pointer means the name in the question.
 */
function reply(question: Buffer, answer: Exclude<Answer, 'silence'>): Buffer {
  const records = typeof answer === 'string' ? [] : recordsOf(answer);
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180 | (typeof answer === 'string' ? RCODES[answer] : 0), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

function recordsOf(answer: readonly string[]): readonly Buffer[] {
  let owner: Buffer = Buffer.from([0xc0, 12]);
  return answer.map((each) => {
    const alias = each.startsWith('-> ') ? encoded(each.slice(3)) : undefined;
    const data = alias ?? Buffer.from(ipaddr.parse(each).toByteArray());
    const fixed = Buffer.alloc(10);
    const addressType = data.length === 4 ? A : AAAA;
    fixed.writeUInt16BE(alias ? CNAME : addressType, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt16BE(data.length, 8);
    const record = Buffer.concat([owner, fixed, data]);
    owner = alias ?? owner;
    return record;
  });
}

const encoded = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ]);

/** By family: the records of the name. */
const has =
  (four: Answer, six: Answer): typeof says =>
  (_, type) =>
    type === A ? four : six;

/** Every connection that this process tries to open. */
const tried: (string | undefined)[] = [];
const watch = createHook({
  init: (_, type, __, resource) => {
    if (type === 'TCPCONNECTWRAP') tried.push((resource as { readonly address?: string }).address);
  },
});
beforeAll(() => void watch.enable());
afterAll(() => void watch.disable());
beforeEach(() => {
  tried.length = 0;
});

const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
const resolve: NameResolver = (name, signal) => makeNameResolver(servers)(name, signal);
const find = (name: string) => resolve(name, new AbortController().signal);
const receiver = makeWebhookHttp({ clock, resolve });
/**
 * The one allowed loopback endpoint; in these tests its name is like any other, and the name server is asked for it.
 */
const near = makeWebhookHttp({
  clock,
  allowLoopbackHttp: true,
  resolve: (name, signal) => resolve(name === 'localhost' ? 'good.example' : name, signal),
});

const url = 'https://hooks.example.com/in';
const delivery: Delivery = { url, headers: {}, body: '{}', timeoutMs: 5_000 };
const PUBLIC = '8.8.8.8';
const PUBLIC_SIX = '2606:4700:4700::1111';

const opened: http.Server[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) {
    each.closeAllConnections();
    each.close();
  }
});
async function listening(answer: http.RequestListener): Promise<string> {
  const each = http.createServer(answer);
  opened.push(each);
  each.listen(0, '127.0.0.1');
  await once(each, 'listening');
  return `http://localhost:${(each.address() as AddressInfo).port}/`;
}

/** The work has begun a few milliseconds earlier, many on a busy machine. */
async function timed<T>(work: Promise<T>): Promise<{ readonly result: T; readonly tookMs: number }> {
  const started = monotonic();
  return { result: await work, tookMs: monotonic() - started };
}

describe('the addresses of a name', () => {
  it('are those of both families, requested at the same time', async () => {
    says = has([PUBLIC, '1.1.1.1'], [PUBLIC_SIX]);
    expect(await find('hooks.example.com')).toEqual([
      { address: PUBLIC, family: 4 },
      { address: '1.1.1.1', family: 4 },
      { address: PUBLIC_SIX, family: 6 },
    ]);
    expect(asked.sort()).toEqual(['A hooks.example.com', 'AAAA hooks.example.com']);
  });

  it.each<[string, Answer]>([
    ['has none', []],
    ['does not exist', 'no such name'],
    ['fails', 'failure'],
    ['refuses', 'refused'],
  ])('are those of one family if the other %s', async (_, other) => {
    says = has([PUBLIC], other);
    expect(await find('hooks.example.com')).toEqual([{ address: PUBLIC, family: 4 }]);
    says = has(other, [PUBLIC_SIX]);
    expect(await find('hooks.example.com')).toEqual([{ address: PUBLIC_SIX, family: 6 }]);
  });

  it('are those at the end of its aliases', async () => {
    says = has(['-> edge.example.net', '-> host.example.org', PUBLIC], ['-> edge.example.net', '-> host.example.org']);
    expect(await find('hooks.example.com')).toEqual([{ address: PUBLIC, family: 4 }]);
  });

  it('are found with a slow name server, and after one lost question', async () => {
    const lost = new Set<string>();
    says = async (name, type) => {
      if (name === 'slow.example') await sleep(1_200);
      else if (!lost.has(`${name} ${type}`) && lost.add(`${name} ${type}`)) return 'silence';
      return type === A ? [PUBLIC] : [];
    };
    const found = await Promise.all(['slow.example', 'lost.example'].map(find));
    expect(found).toEqual([[{ address: PUBLIC, family: 4 }], [{ address: PUBLIC, family: 4 }]]);
    expect(asked.filter((each) => each === 'A lost.example')).toHaveLength(2);
  });

  it.each<[string, Answer]>([
    ['does not exist', 'no such name'],
    ['has no addresses', []],
    ['leads to an alias without addresses', ['-> nowhere.example.org']],
    ['has a failing name server', 'failure'],
    ['has a name server that refuses', 'refused'],
  ])('do not exist for a name that %s', async (_, answer) => {
    says = () => answer;
    const { result, tookMs } = await timed(receiver.post(delivery));
    expect(result).toEqual({ statusCode: null, durationMs: expect.any(Number), error: 'unknown host' });
    await expect(receiver.check(url)).resolves.toBeUndefined();
    expect([tookMs < 1_000, tried]).toEqual([true, []]);
  });

  it('do not exist, without a delay, when there is no name server: an empty list of servers would mean the local host', async () => {
    const alone = makeWebhookHttp({ clock, resolve: makeNameResolver(['127.0.0.1:1']) });
    const { result, tookMs } = await timed(alone.post(delivery));
    await expect(alone.check(url)).resolves.toBeUndefined();
    expect([result.error, tookMs < 500, tried]).toEqual(['unknown host', true, []]);
  });

  it.each(['a..example', `${'x'.repeat(64)}.example`, `${'x.'.repeat(130)}example`])(
    'do not exist for an invalid name: %s',
    async (name) => {
      await expect(find(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
      expect(asked).toEqual([]);
    },
  );

  it.each([
    ['8.8.8.8', [{ address: '8.8.8.8', family: 4 }]],
    ['2606:4700:4700::1111', [{ address: '2606:4700:4700::1111', family: 6 }]],
    ['localhost', ['127.0.0.1', '::1'].map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))],
  ])('are known without a question for %s', async (name, addresses) => {
    expect(await find(name)).toEqual(addresses);
    expect(asked).toEqual([]);
  });
});

describe('a name with an address that is not public', () => {
  it.each<[string, typeof says]>([
    ['in the first family', has(['10.0.0.1'], [PUBLIC_SIX])],
    ['in the second family', has([PUBLIC], ['fd00::1'])],
    ['among public ones', has([PUBLIC, '1.1.1.1', '169.254.169.254'], [])],
    ['mapped into the other family', has([PUBLIC], ['::ffff:127.0.0.1'])],
    ['behind an alias', has(['-> edge.example.net', '127.0.0.1'], [])],
    ['while the other family fails', has(['192.168.0.1'], 'failure')],
  ])('is neither saved nor connected to: %s', async (_, how) => {
    says = how;
    await expect(receiver.check(url)).rejects.toMatchObject({ code: 'url_not_allowed' });
    expect(await receiver.post(delivery)).toMatchObject({ statusCode: null, error: 'not allowed' });
    expect(tried).toEqual([]);
  });

  it('is not connected to when the address changed after the name was saved', async () => {
    says = has([PUBLIC], []);
    await receiver.check(url);
    says = has(['127.0.0.1'], []);
    expect(await receiver.post(delivery)).toMatchObject({ statusCode: null, error: 'not allowed' });
    expect(tried).toEqual([]);
  });

  it('is resolved once per connection, which is made to that result', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    says = (_, type) => (type === A ? (answers.shift() ?? 'failure') : []);
    const target = await listening((_, response) => void response.setHeader('connection', 'close').end());
    expect(await near.post({ ...delivery, url: target })).toMatchObject({ statusCode: 200 });
    expect([tried, answers]).toEqual([['127.0.0.1'], [['127.0.0.2']]]);
    expect(await near.post({ ...delivery, url: target })).toMatchObject({ statusCode: null, error: 'not allowed' });
    expect(tried).toEqual(['127.0.0.1']);
  });
});

describe('a name server that never answers', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;

  it('delays no other delivery and no call to a PSP', async () => {
    const answersGood = has(['127.0.0.1'], []);
    says = (name, type) => (name === 'good.example' ? answersGood(name, type) : 'silence');
    const target = await listening((_, response) => void response.end());
    const before = openFiles();
    const dead = Array.from({ length: 20 }, (_, n) =>
      timed(receiver.post({ ...delivery, url: `https://silent-${n}.example/`, timeoutMs: 1_500 })),
    );
    const good = await timed(near.post({ ...delivery, url: target }));
    const psp = await timed(exchange({ url: target, method: 'POST', body: '{}', timeoutMs: 5_000 }));
    expect([good.result.statusCode, good.tookMs < 500, psp.result.status, psp.tookMs < 500]).toEqual([
      200,
      true,
      200,
      true,
    ]);
    for (const { result, tookMs } of await Promise.all(dead)) {
      expect(result).toMatchObject({ statusCode: null, error: 'timeout' });
      expect(tookMs).toBeLessThan(2_500);
    }
    await sleep(50);
    // No resolver socket is left; the connections that each client keeps have two ends in this process.
    expect(openFiles()).toBeLessThanOrEqual(before + 5);
  });

  it('is not asked again once the time is up', async () => {
    says = () => 'silence';
    expect(await receiver.post({ ...delivery, timeoutMs: 300 })).toMatchObject({ statusCode: null, error: 'timeout' });
    const first = asked.length;
    await sleep(2_400);
    expect([first, asked.length]).toEqual([2, 2]);
  });

  it('is abandoned long before the timeout of a slow endpoint', async () => {
    says = () => 'silence';
    const { result, tookMs } = await timed(receiver.post({ ...delivery, timeoutMs: 30_000 }));
    expect(result).toMatchObject({ statusCode: null, error: 'unknown host' });
    expect(tookMs).toBeLessThan(10_000);
  }, 15_000);

  it('delays saving its name for 3 s, after which the response of one family is enough', async () => {
    says = (name, type) => (name === 'half.example' && type === A ? ['10.0.0.1'] : 'silence');
    const [all, half] = await Promise.all([
      timed(receiver.check(url)),
      timed(receiver.check('https://half.example/').catch((error: unknown) => error)),
    ]);
    expect(half.result).toMatchObject({ code: 'url_not_allowed' });
    for (const { tookMs } of [all, half]) expect([tookMs >= 2_900, tookMs < 4_000]).toEqual([true, true]);
  });

  it('is not waited for by a request that was aborted', async () => {
    says = () => 'silence';
    await expect(resolve('hooks.example.com', AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(asked).toEqual([]);
  });
});

describe('the timeout of a delivery', () => {
  it('includes the name resolution', async () => {
    says = async (_, type) => {
      await sleep(300);
      return type === A ? ['127.0.0.1'] : [];
    };
    const target = await listening(() => undefined);
    const { result, tookMs } = await timed(near.post({ ...delivery, url: target, timeoutMs: 600 }));
    expect(result).toMatchObject({ statusCode: null, error: 'timeout' });
    expect([tookMs >= 500, tookMs < 850, tried]).toEqual([true, true, ['127.0.0.1']]);
  });
});

describe('a distant webhook endpoint', () => {
  /**
   * Accepts one connection and lets one more wait; while it is stopped, later ones get no response from the system
   * either.
   */
  const FAR = `require('node:http').createServer((_, response) => response.end())
    .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port); });`;
  let far: ChildProcess;
  const waiting: net.Socket[] = [];
  afterEach(() => {
    far.kill('SIGKILL');
    for (const each of waiting.splice(0)) each.destroy();
  });

  it('is not abandoned after a moment for another of its addresses', async () => {
    far = spawn(process.execPath, ['-e', FAR], { stdio: ['ignore', 'pipe', 'inherit'] });
    const port = Number(String((await once(far.stdout as NodeJS.ReadableStream, 'data'))[0]));
    far.kill('SIGSTOP');
    for (let n = 0; n < 8; n += 1) waiting.push(net.connect(port, '127.0.0.1').on('error', () => undefined));
    await sleep(200);
    expect(waiting.some((each) => each.connecting)).toBe(true);
    setTimeout(() => far.kill('SIGCONT'), 500);
    says = has(['127.0.0.1'], ['::1']);
    tried.length = 0;
    expect(await near.post({ ...delivery, url: `http://localhost:${port}/` })).toMatchObject({ statusCode: 200 });
    expect(tried).toEqual(['127.0.0.1']);
  });
});
