import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import { type Merchant, webhooksAt } from '#test/http/webhook-merchant.support.ts';
import { type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';

let host: TestHost;
const { answerWith, deliveries, advance, drain, sendTest, aMerchant, event, call } = webhooksAt(() => host);

const arrived = async (merchant: Merchant): Promise<string[]> =>
  (await deliveries(merchant)).map(({ headers }) => headers['webhook-id'] ?? '');

describe('webhook endpoints that never answer', () => {
  const SILENT = { delay_ms: 120_000 };
  const MOST_MS = 3_000;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  /** How long the event takes to arrive, in ms. */
  async function timeToArrive(merchant: Merchant): Promise<number> {
    const begun = performance.now();
    const id = await sendTest(merchant);
    while (!(await arrived(merchant)).includes(id) && performance.now() - begun < 2 * MOST_MS) await pause(10);
    return performance.now() - begun;
  }

  it('do not delay the events of other organizations, whether one has a backlog or many have a few events', async () => {
    const other = await aMerchant();
    await sendTest(other);
    await drain();
    const [one, many] = [await aMerchant(SILENT), [] as Merchant[]];
    while (many.length < 40) many.push(await aMerchant(SILENT));
    for (const merchant of [...many, ...many, ...many.map(() => one)]) await sendTest(merchant);

    for (let n = 0; n < 5; n += 1) expect(await timeToArrive(other)).toBeLessThan(MOST_MS);
    // A new organization does not wait longer either.
    expect(await timeToArrive(await aMerchant())).toBeLessThan(MOST_MS);
    // The silent endpoints were called too, the one with the backlog not more often than its concurrency allows.
    await expect
      .poll(async () => Promise.all(many.map(async (merchant) => (await arrived(merchant)).length)), {
        timeout: 20_000,
      })
      .toEqual(many.map(() => 2));
    await expect.poll(async () => (await arrived(one)).length, { timeout: 20_000 }).toBe(4);
  }, 60_000);
});

describe('a webhook endpoint that is known to fail', () => {
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  /** The queues from which events were sent while `work` ran. */
  const lanesOf = async (work: () => Promise<unknown>): Promise<string[]> =>
    (await callsOf(host, work)).flatMap(({ point, group }) => (point === 'receiver' ? [group] : []));
  const sendAndDrain = async (merchant: Merchant): Promise<string> => {
    const id = await sendTest(merchant);
    await drain();
    return id;
  };

  /** Failures only, for more than a minute. */
  async function startFailing(merchant: Merchant): Promise<string> {
    await answerWith(merchant, { status: 500 });
    const id = await sendAndDrain(merchant);
    await advance('6s');
    await advance('70s');
    return id;
  }

  it('is served from the slow queue, and the events of others from the fast one', async () => {
    const [dead, other] = [await aMerchant(), await aMerchant()];
    const first = await startFailing(dead);
    expect(await lanesOf(() => sendAndDrain(dead))).toEqual(['slow-deliveries']);
    expect(await lanesOf(() => sendAndDrain(other))).toEqual(['webhook-delivery']);
    // Retries come from the slow queue, too.
    expect(new Set(await lanesOf(() => advance('5m')))).toEqual(new Set(['slow-deliveries']));
    expect(await event(first, dead)).toMatchObject({ status: 'pending' });
  });

  it('receives its backlog once it recovers, and new events from the fast queue', async () => {
    const merchant = await aMerchant();
    const owed = [await startFailing(merchant)];
    for (let n = 0; n < 20; n += 1) owed.push(await sendTest(merchant));
    await drain();
    await answerWith(merchant, { status: 200 });
    await advance('40m');

    const { events } = (await call('GET', '/events?limit=50', undefined, merchant)).body;
    expect(events.map(({ id, status }: Body) => [id, status]).sort()).toEqual(
      owed.map((id) => [id, 'delivered']).sort(),
    );
    const taken = (await host.control('GET', `/receiver/${merchant.receiver}`)).body.deliveries.filter(
      ({ status }: Body) => status === 200,
    );
    expect(taken.map(({ headers }: Body) => headers['webhook-id']).sort()).toEqual(owed.toSorted());
    expect(await lanesOf(() => sendAndDrain(merchant))).toEqual(['webhook-delivery']);
  });

  it('is served from the fast queue in its first minute of failures', async () => {
    const merchant = await aMerchant({ status: 500 });
    await sendAndDrain(merchant);
    await advance('6s');
    await advance('30s');
    expect(await lanesOf(() => sendAndDrain(merchant))).toEqual(['webhook-delivery']);
  });

  describe.each([
    ['webhook-delivery', 'on the way from the fast lane to the slow one', [200], 2],
    ['slow-deliveries', 'in the slow lane, to a receiver that is back', [200], 2],
    ['slow-deliveries', 'in the slow lane, to one that fails once more', [500, 200], 5],
  ] as const)('a crash of %s', (group, where, sequence, least) => {
    it(`${where} loses no event, and invents none`, async () => {
      const merchant = await aMerchant();
      const known = new Set<string>();
      const prepare = async () => {
        known.add(await startFailing(merchant));
        await answerWith(merchant, { sequence });
      };
      const come = async () => {
        known.add(await sendAndDrain(merchant));
        await advance('40m');
      };
      await prepare();
      const points = await crashPointsOf(host, group, come);
      let struck = 0;
      for (const { point, nth, when, method } of points) {
        await prepare();
        await host.control('POST', '/faults', { point, nth, kind: 'crash', when, handler: group });
        await come();
        // The retries of the backlog have times of their own, so that a later call may not happen this time.
        struck += host.faults.waiting.length === 0 ? 1 : 0;
        await host.control('DELETE', '/faults');
        for (const id of known)
          expect((await event(id, merchant)).status, describePoint({ point, nth, when, method })).toBe('delivered');
      }
      expect(struck).toBeGreaterThanOrEqual(least);
      const got = new Set(await arrived(merchant));
      expect([...got].sort()).toEqual([...known].sort());
      for (const queue of ['webhook-delivery', 'slow-deliveries'] as const)
        expect(await host.queue.deadLetters(queue)).toEqual([]);
    }, 120_000);
  });
});
