import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/store/keys.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';
import { type CrashPoint, crashPointsOf, describePoint } from '#test/faults/crash-sweep.support.ts';
import { type Merchant, webhooksAt } from '#test/http/webhook-merchant.support.ts';
import { type ApiResponse, type Body, callsOf, startHost, type TestHost } from '#test/support/host.ts';
import { changed } from '#test/support/memory-store.ts';
import { anIntent } from '#test/support/payment-steps.ts';

let host: TestHost;
let table: TablePort;
/** Runs once, just before the next transaction. */
let beforeSave: (() => Promise<void>) | undefined;
beforeAll(async () => {
  host = await startHost({
    wrapTable: (inner) => {
      table = inner;
      return changed(inner, {
        transact: async (...args) => {
          const act = beforeSave;
          beforeSave = undefined;
          await act?.();
          return inner.transact(...args);
        },
      });
    },
  });
});
afterAll(() => host?.close());

const { call, answerWith, deliveries, advance, drain, sendTest, aMerchant, configure, config, rotate, audit, event } =
  webhooksAt(() => host);

const disabledEntries = async (org: Merchant): Promise<Body[]> =>
  (await audit(org)).filter(({ action }: Body) => action === 'webhook.disabled');
const sendAndWait = async (org: Merchant): Promise<Body> => {
  const id = await sendTest(org);
  await drain();
  return event(id, org);
};
/** Sends one event a day for so many days. */
const passDays = async (org: Merchant, days: number): Promise<void> => {
  for (let day = 0; day < days; day += 1) {
    await sendTest(org);
    await advance('1d');
  }
};
const waitForFourthAttempt = () => advance('10m');
const waitForFifthAttempt = () => advance('35m');
const itemOf = (org: Merchant) => table.get({ pk: `RECV#${org.org_id}`, sk: 'RECV' }, { consistent: true });

describe('a webhook endpoint that answers 410', () => {
  it('is disabled at once, and its event is not retried', async () => {
    const merchant = await aMerchant({ status: 410 });
    const { id, status, attempts, next_attempt_at } = await sendAndWait(merchant);
    expect({ status, attempts, next_attempt_at }).toEqual({
      status: 'failed',
      attempts: [expect.objectContaining({ status_code: 410 })],
      next_attempt_at: null,
    });
    expect(await config(merchant)).toMatchObject({
      enabled: false,
      disabled_reason: 'gone',
      disabled_at: expect.stringMatching(/Z$/),
    });
    expect(await disabledEntries(merchant)).toEqual([
      {
        id: 2,
        actor_id: 'system',
        actor_claimed: false,
        action: 'webhook.disabled',
        metadata: {
          changes: { enabled: { from: true, to: false }, disabled_reason: { from: null, to: 'gone' } },
          credential_id: null,
          reason: 'gone',
        },
        created_at: (await config(merchant)).disabled_at,
      },
    ]);
    await advance('3d');
    expect([(await event(id, merchant)).attempts.length, (await deliveries(merchant)).length]).toEqual([1, 1]);
  });

  it('is disabled once, however many simultaneous responses are 410', async () => {
    const merchant = await aMerchant({ status: 410, delay_ms: 150 });
    const ids = await Promise.all([1, 2, 3, 4].map(() => sendTest(merchant)));
    await drain();
    expect((await deliveries(merchant)).length).toBeGreaterThan(1);
    expect((await disabledEntries(merchant)).length).toBe(1);
    for (const id of ids) expect((await event(id, merchant)).status).toBe('failed');
  });

  it('stays enabled when its configuration was saved while the request was running', async () => {
    const merchant = await aMerchant({ status: 410, delay_ms: 400 });
    const id = await sendTest(merchant);
    while ((await deliveries(merchant)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await configure(merchant, { url: `${merchant.url}?new` });
    await answerWith(merchant, { status: 200 });
    await drain();
    expect(await disabledEntries(merchant)).toEqual([]);
    expect(await config(merchant)).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
    expect(await event(id, merchant)).toMatchObject({ status: 'pending', attempts: [{ status_code: 410 }] });
    await advance('10s');
    expect(await event(id, merchant)).toMatchObject({
      status: 'delivered',
      attempts: [{ status_code: 410 }, { status_code: 200 }],
    });
  });

  it('leaves a delivered event delivered when it was replayed', async () => {
    const merchant = await aMerchant({ sequence: [200, 410] });
    const { id } = await sendAndWait(merchant);
    await call('POST', `/events/${id}/replay`, undefined, merchant);
    await drain();
    expect([(await event(id, merchant)).status, (await config(merchant)).disabled_reason]).toEqual([
      'delivered',
      'gone',
    ]);
  });

  it('is disabled with one audit entry, wherever the process crashes', async () => {
    const work = async (): Promise<void> => {
      const merchant = await aMerchant({ status: 410 });
      await sendAndWait(merchant);
    };
    const points = (await crashPointsOf(host, 'webhook-delivery', work)).filter(({ point }) => point !== 'vault');
    expect(waysOf(points)).toEqual(expect.arrayContaining(['after update', 'after send', 'after transact']));
    const stillOn: CrashPoint[] = [];
    for (const point of points) {
      const merchant = await aMerchant({ status: 410 });
      await crashAt(point);
      const id = await sendTest(merchant);
      await advance('30m');
      expect(host.faults.waiting, describePoint(point)).toEqual([]);
      const { status, attempts } = await event(id, merchant);
      expect({ status, attempts }, describePoint(point)).toMatchObject({
        status: 'failed',
        attempts: [{ status_code: 410 }],
      });
      if ((await config(merchant)).enabled) {
        stillOn.push(point);
        await sendAndWait(merchant);
      }
      expect((await config(merchant)).disabled_reason, describePoint(point)).toBe('gone');
      expect(
        (await disabledEntries(merchant)).map((entry) => entry.id),
        describePoint(point),
      ).toEqual([2]);
    }
    // After a crash between the change and the event's attempt, the next response disables the endpoint.
    expect(waysOf(stillOn).filter((way) => way.startsWith('after'))).toEqual(['after update', 'after send']);
  });
});

const crashAt = ({ point, nth, when }: CrashPoint, handler = 'webhook-delivery') =>
  host.control('POST', '/faults', { point, nth, when, kind: 'crash', handler });
const waysOf = (points: readonly CrashPoint[]): string[] => points.map(({ when, method }) => `${when} ${method}`);

describe('a webhook endpoint that always fails', () => {
  it('is disabled after five days, at the fifth attempt of an event', async () => {
    const merchant = await aMerchant({ status: 500 });
    await passDays(merchant, 2);
    await advance('68h');
    const before = await sendTest(merchant);
    await advance('5h');
    expect((await event(before, merchant)).attempts.length).toBeGreaterThan(5);
    await sendTest(merchant);
    await waitForFourthAttempt();
    expect(await config(merchant)).toMatchObject({ enabled: true, disabled_reason: null });
    await waitForFifthAttempt();
    expect(await config(merchant)).toMatchObject({
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: expect.stringMatching(/Z$/),
    });
    const changes = { enabled: { from: true, to: false }, disabled_reason: { from: null, to: 'failing' } };
    expect(await disabledEntries(merchant)).toMatchObject([
      { id: 2, actor_id: 'system', metadata: { changes, credential_id: null, reason: 'failing' } },
    ]);
  });

  it('is not disabled by the first attempt after days without one, but by the fifth attempt of an event', async () => {
    const merchant = await aMerchant({ status: 500 });
    const old = await sendTest(merchant);
    await advance('6d');
    expect((await event(old, merchant)).status).toBe('failed');
    await call('POST', `/events/${old}/replay`, undefined, merchant);
    const id = await sendTest(merchant);
    await waitForFourthAttempt();
    expect([(await config(merchant)).enabled, (await event(id, merchant)).attempts.length]).toEqual([true, 4]);
    await waitForFifthAttempt();
    expect(await config(merchant)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    await advance('3h');
    expect(await event(id, merchant)).toMatchObject({ status: 'failed', attempts: { length: 5 } });
  });

  it('is not disabled when one delivery succeeded in between', async () => {
    const merchant = await aMerchant({ status: 500 });
    await passDays(merchant, 4);
    await answerWith(merchant, { status: 200 });
    expect((await sendAndWait(merchant)).status).toBe('delivered');
    await answerWith(merchant, { status: 500 });
    await passDays(merchant, 4);
    await sendAndWait(merchant);
    expect([(await config(merchant)).enabled, await disabledEntries(merchant)]).toEqual([true, []]);
    await passDays(merchant, 2);
    expect((await config(merchant)).disabled_reason).toBe('failing');
  });

  it('counts its failures anew once its configuration is saved again', async () => {
    const merchant = await aMerchant({ status: 500 });
    await passDays(merchant, 4);
    const before = await audit(merchant);
    expect((await configure(merchant)).status).toBe(200);
    expect((await itemOf(merchant))?.failing_since).toBeUndefined();
    expect(await audit(merchant)).toEqual(before);
    await passDays(merchant, 3);
    await sendAndWait(merchant);
    expect((await config(merchant)).enabled).toBe(true);
  });

  it.each([
    ['that it had accepted', 200, '0s'],
    ['that it never accepted', 500, '3d'],
  ])('is not disabled by a replay of an event %s, however old the event is', async (_, status, after) => {
    const merchant = await aMerchant({ status });
    const { id } = await sendAndWait(merchant);
    await advance(after);
    await answerWith(merchant, { status: 200 });
    await sendAndWait(merchant);
    await answerWith(merchant, { status: 409 });
    await call('POST', `/events/${id}/replay`, undefined, merchant);
    await drain();
    expect((await event(id, merchant)).attempts.at(-1)).toMatchObject({ status_code: 409 });
    await advance('6d');
    await sendAndWait(merchant);
    await waitForFifthAttempt();
    await waitForFifthAttempt();
    expect([(await config(merchant)).enabled, await disabledEntries(merchant)]).toEqual([true, []]);
  });

  it('is not disabled by a replay before the fifth scheduled attempt', async () => {
    const merchant = await aMerchant({ status: 500 });
    await sendTest(merchant);
    await advance('6d');
    const id = await sendTest(merchant);
    await waitForFourthAttempt();
    await call('POST', `/events/${id}/replay`, undefined, merchant);
    await drain();
    expect([(await event(id, merchant)).attempts.length, (await config(merchant)).enabled]).toEqual([5, true]);
    await waitForFifthAttempt();
    expect((await config(merchant)).disabled_reason).toBe('failing');
  });

  it('keeps its count of failures when its secret is rotated', async () => {
    const merchant = await aMerchant({ status: 500 });
    await passDays(merchant, 2);
    const since = (await itemOf(merchant))?.failing_since;
    await rotate(merchant);
    expect([typeof since, (await itemOf(merchant))?.failing_since]).toEqual(['string', since]);
  });

  it('is disabled with one audit entry at the fifth attempt, wherever the process crashes', async () => {
    const failing = async (): Promise<Merchant> => {
      const merchant = await aMerchant({ status: 500 });
      await sendTest(merchant);
      await advance('6d');
      await sendTest(merchant);
      await waitForFourthAttempt();
      expect(await config(merchant)).toMatchObject({ enabled: true });
      return merchant;
    };
    await failing();
    const points = (await crashPointsOf(host, 'slow-deliveries', waitForFifthAttempt)).filter(
      ({ point }) => point !== 'vault',
    );
    expect(waysOf(points)).toEqual(expect.arrayContaining(['after update', 'after send', 'after transact']));
    for (const point of points) {
      const merchant = await failing();
      await crashAt(point, 'slow-deliveries');
      await waitForFifthAttempt();
      expect(host.faults.waiting, describePoint(point)).toEqual([]);
      // After a crash between the change and the event's attempt, the sixth attempt disables the endpoint.
      await advance('3h');
      expect((await config(merchant)).disabled_reason, describePoint(point)).toBe('failing');
      expect(
        (await disabledEntries(merchant)).map((entry) => entry.id),
        describePoint(point),
      ).toEqual([2]);
    }
  });
});

describe('a failure that is recorded while the configuration is being saved', () => {
  /** The failure is recorded between the read and the write of the request. */
  async function isFailureKept(save: (merchant: Merchant) => Promise<ApiResponse>): Promise<Body> {
    const merchant = await aMerchant();
    const since = host.clock.now().toISOString();
    beforeSave = async () => {
      await table.update(
        keys.webhookConfig(merchant.org_id),
        { set: { failing_since: since } },
        { absent: 'failing_since' },
      );
    };
    expect((await save(merchant)).status).toBe(200);
    expect(beforeSave).toBeUndefined();
    return (await itemOf(merchant))?.failing_since === since;
  }

  it.each<[string, (merchant: Merchant) => Promise<ApiResponse>, boolean]>([
    ['is kept by a rotation', (merchant) => rotate(merchant), true],
    ['is kept when webhooks are disabled', (merchant) => configure(merchant, { enabled: false }), true],
    ['is forgotten with a new URL', (merchant) => configure(merchant, { url: `${merchant.url}?new` }), false],
  ])('%s', async (_, save, known) => expect(await isFailureKept(save)).toBe(known));
});

describe('the events of a disabled endpoint', () => {
  it.each([
    ['fail while it is disabled automatically', { status: 410 }, {}, ['failed', 'failed']],
    ['are skipped while it is disabled by a member', {}, { enabled: false }, ['skipped', 'skipped']],
    [
      'are skipped once a member has disabled an endpoint that was disabled automatically',
      { status: 410 },
      { enabled: false },
      ['skipped', 'skipped'],
    ],
    [
      'are skipped without a subscription to their type',
      { status: 410 },
      { events: ['invoice.paid'] },
      ['skipped', 'skipped'],
    ],
  ])('%s', async (_, answers, wish, statuses) => {
    const subscribed = 'events' in wish ? wish : {};
    const merchant = await aMerchant(answers, subscribed);
    if ('status' in answers) await sendAndWait(merchant);
    if ('enabled' in wish)
      expect((await configure(merchant, wish)).body).toMatchObject({ enabled: false, disabled_reason: null });
    const sent = (await deliveries(merchant)).length;
    await host.call('POST', '/v1/payments', { amount: 100, currency: 'EUR' }, { key: merchant.key });
    await drain();
    const { events } = (await call('GET', '/events', undefined, merchant)).body;
    const ofPayment = events.filter(({ type }: Body) => type !== 'service.webhook.test');
    expect(ofPayment.map(({ status, attempts }: Body) => [status, attempts])).toEqual(
      statuses.map((status) => [status, []]),
    );
    expect((await deliveries(merchant)).length).toBe(sent);
  });

  it('can be replayed once it is enabled again, if they failed meanwhile', async () => {
    const merchant = await aMerchant({ status: 410 });
    await sendAndWait(merchant);
    await host.call('POST', '/v1/payments', { amount: 100, currency: 'EUR' }, { key: merchant.key });
    await drain();
    const [{ id }] = (await call('GET', '/events?status=failed&type=payment.created', undefined, merchant)).body.events;
    await answerWith(merchant, { status: 200 });
    expect((await configure(merchant)).body).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null });
    expect((await audit(merchant))[0].metadata.changes).toEqual({
      enabled: { from: false, to: true },
      disabled_reason: { from: 'gone', to: null },
    });
    await call('POST', `/events/${id}/replay`, undefined, merchant);
    await drain();
    expect((await event(id, merchant)).status).toBe('delivered');
  });

  it('fail when their next attempt falls into the time in which it is disabled', async () => {
    const merchant = await aMerchant({ sequence: [500, 410] });
    const first = await sendAndWait(merchant);
    expect(first.status).toBe('pending');
    await sendAndWait(merchant);
    await advance('10m');
    expect(await event(first.id, merchant)).toMatchObject({
      status: 'failed',
      attempts: [{ status_code: 500 }],
      next_attempt_at: null,
    });
  });
});

describe('an event that waits for a retry when a member disables the endpoint', () => {
  const disableAndEnable = async (merchant: Merchant): Promise<void> => {
    await configure(merchant, { enabled: false });
    await advance('10s');
    await configure(merchant);
  };

  it('fails, and is sent again by a replay of all failed events', async () => {
    const merchant = await aMerchant({ sequence: [500, 200] });
    const { id, status } = await sendAndWait(merchant);
    expect(status).toBe('pending');
    await disableAndEnable(merchant);
    expect(await event(id, merchant)).toMatchObject({
      status: 'failed',
      attempts: [{ status_code: 500 }],
      next_attempt_at: null,
    });
    await call('POST', '/events/replay', { since: '2020-01-01T00:00:00Z' }, merchant);
    await drain();
    expect(await event(id, merchant)).toMatchObject({ status: 'delivered', attempts: { length: 2 } });
  });

  it('is skipped when the new configuration does not subscribe to it', async () => {
    const merchant = await aMerchant({ status: 500 });
    await anIntent(host, 'ok', {}, merchant);
    await drain();
    await configure(merchant, { events: ['invoice.paid'] });
    await advance('10s');
    expect((await call('GET', '/events', undefined, merchant)).body.events).toMatchObject([
      { status: 'skipped', attempts: [{ status_code: 500 }] },
    ]);
  });
});

describe('the stored configuration of an endpoint', () => {
  const writesOf = async (merchant: Merchant): Promise<number> => {
    const calls = await callsOf(host, () => sendAndWait(merchant), 'webhook-delivery');
    return calls.filter(({ point, method }) => point === 'table' && ['put', 'update', 'transact'].includes(method))
      .length;
  };

  it('is not written for a healthy endpoint, nor after a single failure', async () => {
    const merchant = await aMerchant();
    expect(await writesOf(merchant)).toBe(1);
    await answerWith(merchant, { sequence: [500, 200] });
    const before = await itemOf(merchant);
    const { id } = await sendAndWait(merchant);
    await advance('1m');
    expect((await event(id, merchant)).status).toBe('delivered');
    expect(await itemOf(merchant)).toEqual(before);
  });

  it('records since when the endpoint fails, until it recovers, without a new version', async () => {
    const merchant = await aMerchant({ status: 500 });
    const version = (await itemOf(merchant))?.version;
    const { id } = await sendAndWait(merchant);
    await advance('10s');
    const [, second] = (await event(id, merchant)).attempts;
    const since = (await itemOf(merchant))?.failing_since;
    expect(Date.parse(String(since)) - Date.parse(second.at)).toBeGreaterThanOrEqual(0);
    await advance('10m');
    expect(await itemOf(merchant)).toMatchObject({ version, failing_since: since });
    await answerWith(merchant, { status: 200 });
    await advance('1h');
    expect((await event(id, merchant)).status).toBe('delivered');
    const item = await itemOf(merchant);
    expect([item?.version, item?.failing_since]).toEqual([version, undefined]);
  });

  it('is read correctly when it was saved before versions existed', async () => {
    const key = (org: Merchant) => ({ pk: `RECV#${org.org_id}`, sk: 'RECV' });
    const old = async (answers: Body): Promise<Merchant> => {
      const merchant = await aMerchant(answers);
      await table.update(key(merchant), { remove: ['version', 'audits'] });
      await table.delete({ pk: `AUDIT#${merchant.org_id}`, sk: '0000000001' });
      expect(await audit(merchant)).toEqual([]);
      return merchant;
    };
    const saved = await old({});
    expect((await configure(saved, { enabled: false })).body).toMatchObject({
      enabled: false,
      signing_secret: saved.secret,
    });
    const gone = await old({ status: 410 });
    await sendAndWait(gone);
    const turned = await old({});
    expect((await rotate(turned)).status).toBe(200);
    const failing = await old({ status: 500 });
    await sendTest(failing);
    await advance('1m');
    expect((await itemOf(failing))?.failing_since).toEqual(expect.any(String));
    const entries = await Promise.all([saved, gone, turned].map((org) => audit(org)));
    expect(entries.map((list) => list.map(({ id, action }) => [id, action]))).toEqual([
      [[1, 'webhook.configured']],
      [[1, 'webhook.disabled']],
      [[1, 'webhook.secret_rotated']],
    ]);
  });
});
