import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '#lib/local/http-server.ts';
import {
  endAll,
  eventually,
  type Receiver,
  type Running,
  start,
  startReady,
  startReceiver,
} from '#test/faults/process.support.ts';
import { fourFreePorts } from '#test/support/free-ports.ts';
import { type ApiResponse, aPaymentBody, type Body } from '#test/support/host.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { shortened } from '#test/support/whole-run.ts';

const PATIENCE = 90_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let port: number;
let receiver: Receiver;
let host: Running;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = folder.path('data');
  port = await fourFreePorts();
  receiver = await startReceiver();
  host = await startReady(port, dataDir);
  await host.call('POST', '/v1/webhooks/config', { url: receiver.url, events: ['*'] }, randomUUID());
  await advance('400d');
}, PATIENCE);
afterAll(async () => {
  endAll();
  receiver?.close();
  await folder?.remove();
});

const advance = (time: string) => host.control('POST', '/clock', { advance: time });
const scenario = (behaviour: string, more: Body = {}) =>
  host.control('POST', '/psp/scenario', { provider: 'stripe', behaviour, ...more });
const providerCalls = async (): Promise<number> => (await host.control('GET', '/psp/calls')).calls.length;
const charge = async (id: string): Promise<Body> =>
  (await host.control('GET', `/psp/calls?payment_id=${id}`)).charges[id];

async function killAndStartAgain(): Promise<void> {
  await host.kill();
  host = await startReady(port, dataDir);
}

/** The number of different events of each type that the endpoint accepted about this resource. */
function eventsAbout(id: string): Readonly<Record<string, number>> {
  const taken = receiver.got.filter(({ event, status }) => event.data.id === id && status === 200);
  const types = new Map(taken.map(({ event }) => [event.id, event.type]));
  return Object.fromEntries([...Map.groupBy(types.values(), (type) => type)].map(([type, all]) => [type, all.length]));
}

describe('a host that is killed in the middle of a payment', () => {
  const providerHeard = async (before: number) => eventually(async () => (await providerCalls()) > before);
  it.each(
    shortened<readonly [string, string, (before: number) => Promise<unknown>]>(
      [
        ['as soon as the request arrives', 'slow:1500', async () => undefined],
        ['a moment later', 'slow:1500', () => sleep(15)],
        ['when the provider has charged and not yet responded', 'slow:1500', providerHeard],
        ['when the provider has charged and never responds', 'timeout_after_charge', providerHeard],
        ['when the provider was called and did nothing', 'timeout_before_charge', providerHeard],
        ['as soon as it has responded', 'approve', providerHeard],
      ],
      2,
    ),
  )(
    'charges once and sends each event once when it is killed %s',
    async (_, behaviour, moment) => {
      const [customer, key] = [randomUUID(), randomUUID()];
      const pay = (): Promise<ApiResponse> =>
        host.call('POST', '/v1/payments', aPaymentBody('ok', { customer_id: customer }), key);
      const { keys, org_id } = host.info;
      const { now } = await host.control('GET', '/clock');
      await scenario(behaviour);
      const [before, first] = [await providerCalls(), pay().catch(() => undefined)];
      await moment(before);
      await killAndStartAgain();
      await first;

      expect([host.info.keys, host.info.org_id]).toEqual([keys, org_id]);
      expect((await host.control('GET', '/clock')).now >= now).toBe(true);
      await advance('40s');
      const again = await pay();
      expect([again.status, again.body.status]).toEqual([201, 'succeeded']);
      await host.control('POST', '/drain');
      const { payments } = (await host.call('GET', `/v1/payments?customer_id=${customer}`)).body;
      expect(payments.map((p: Body) => [p.id, p.status, p.attempts.length])).toEqual([[again.body.id, 'succeeded', 1]]);
      expect(await charge(again.body.id)).toMatchObject({ amount: 5_000, refunded: 0, count: 1 });
      expect(eventsAbout(again.body.id)).toEqual({ 'payment.created': 1, 'payment.succeeded': 1 });
      expect((await pay()).text).toBe(again.text);
    },
    PATIENCE,
  );

  it(
    'settles the payment on its own when the request is not repeated',
    async () => {
      const customer = randomUUID();
      await scenario('timeout_after_charge', { webhook: 'none' });
      const [before, first] = [
        await providerCalls(),
        host
          .call('POST', '/v1/payments', aPaymentBody('ok', { customer_id: customer }), randomUUID())
          .catch(() => undefined),
      ];
      await providerHeard(before);
      await killAndStartAgain();
      await first;
      await advance('10m');
      const [payment] = (await host.call('GET', `/v1/payments?customer_id=${customer}`)).body.payments;
      expect([payment.status, (await charge(payment.id)).count, eventsAbout(payment.id)]).toEqual([
        'succeeded',
        1,
        { 'payment.created': 1, 'payment.succeeded': 1 },
      ]);
    },
    PATIENCE,
  );

  it(
    'processes the callbacks that the provider sent meanwhile',
    async () => {
      const { id } = (await host.call('POST', '/v1/payments', aPaymentBody('pending'), randomUUID())).body;
      await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'succeeded' });
      await killAndStartAgain();
      await host.control('POST', '/drain');
      expect((await host.call('GET', `/v1/payments/${id}`)).body.status).toBe('succeeded');
    },
    PATIENCE,
  );
});

describe('an event that was not delivered before the host was killed', () => {
  const announce = async (): Promise<string> =>
    (await host.call('POST', '/v1/webhooks/test', undefined, randomUUID())).body.id;
  const tries = (id: string) => receiver.got.filter(({ event }) => event.id === id).length;
  const eventOf = async (id: string): Promise<Body> => (await host.call('GET', `/v1/webhooks/events/${id}`)).body;

  it.each(
    shortened<readonly [string, number, string, number]>(
      [
        ['while the endpoint was responding', 0, '0s', 1],
        ['while it waited in the queue', 500, '2m', 3],
        ['while it waited longer than queues allow', 500, '3h', 5],
      ],
      0,
    ),
  )(
    'is delivered afterwards, killed %s',
    async (_, answer, wait, expected) => {
      receiver.answer = answer;
      const id = await announce();
      await eventually(() => tries(id) > 0);
      if (answer > 0) await advance(wait);
      await host.kill();
      expect(tries(id)).toBeGreaterThanOrEqual(expected);
      receiver.answer = 200;
      host = await startReady(port, dataDir);
      await advance('1d');
      expect([
        (await eventOf(id)).status,
        receiver.got.filter(({ event, status }) => event.id === id && status === 200).length,
      ]).toEqual(['delivered', 1]);
    },
    PATIENCE,
  );
});

describe('a host that is asked to stop', () => {
  it(
    'finishes the running request and exits',
    async () => {
      await scenario('slow:400');
      const before = await providerCalls();
      const answer = host.call('POST', '/v1/payments', aPaymentBody(), randomUUID());
      await eventually(async () => (await providerCalls()) > before);
      host.child.kill('SIGTERM');
      expect([(await answer).status, (await host.ended).code]).toEqual([201, 0]);
      host = await startReady(port, dataDir);
      expect((await host.call('GET', `/v1/payments/${(await answer).body.id}`)).body.status).toBe('succeeded');
    },
    PATIENCE,
  );
});

describe('a second host', () => {
  it(
    'reports that the data is in use, and disturbs nobody',
    async () => {
      const second = start(await fourFreePorts(), dataDir);
      const { code, complaint } = await second.ended;
      expect([code, complaint, second.stdout()]).toEqual([
        1,
        `The data in ${dataDir} is in use by another process. End it, or give this one a DATA_DIR of its own.\n`,
        '',
      ]);
      expect((await host.call('POST', '/v1/payments', aPaymentBody(), randomUUID())).status).toBe(201);
    },
    PATIENCE,
  );

  it.each(
    shortened<readonly [number, string]>(
      [
        [0, 'the API'],
        [3, 'the simulators'],
      ],
      0,
    ),
  )(
    'reports that port +%i, of %s, is in use',
    async (n, what) => {
      const first = await fourFreePorts();
      const other = await listen(first + n, 'the test');
      const { code, complaint } = await start(first, ':memory:').ended;
      await other.close();
      expect(code).toBe(1);
      expect(complaint).toMatch(
        new RegExp(
          `^Port ${first + n} \\(${what}\\) is taken\\. End what listens there, or choose other ports: .*\\n$`,
        ),
      );
    },
    PATIENCE,
  );
});

describe('the command that a host prints at its start', () => {
  it(
    'creates a payment when it is pasted into a shell',
    async () => {
      const [ready, command] = host.stdout().split('\n\n');
      expect(ready).toBe(`ready ${host.info.api}`);
      const { stdout } = await promisify(execFile)('sh', ['-c', command!]);
      expect(JSON.parse(stdout)).toMatchObject({
        status: 'succeeded',
        amount: 1_250,
        currency: 'EUR',
        provider: 'stripe',
        org_id: host.info.org_id,
      });
    },
    PATIENCE,
  );
});
