import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { FUNCTIONS } from '#lib/aws/function-table.ts';
import { loadMasterKey, masterKeyWrapper } from '#shared/adapters/local/master-key.adapter.ts';
import { makeVault } from '#shared/adapters/vault/envelope-vault.adapter.ts';
import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { LOST_AFTER, retryDelaySeconds } from '#shared/domain/webhooks/delivery.rules.ts';
import type { DeliveryLane } from '#shared/domain/webhooks/delivery-lane.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { NOTIFY_AFTER } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { signingSecret, signingSecretContext } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { DAY, MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';
import type { Delivery, DeliveryResult } from '#shared/ports/webhook-http.port.ts';
import { deliverEvent } from '#shared/services/webhooks/deliver-event.service.ts';
import { keys } from '#shared/store/keys.ts';
import { MemberRepo } from '#shared/store/repos/accounts/member.repo.ts';
import { EventRepo } from '#shared/store/repos/webhooks/event.repo.ts';
import { WebhookConfigRepo } from '#shared/store/repos/webhooks/webhook-config.repo.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';
import { SqliteTable } from '#shared/store/sqlite/sqlite-table.adapter.ts';

const START = new Date();
const LANES: readonly DeliveryLane[] = ['webhook-delivery', 'slow-deliveries'];
const SECRET = signingSecret(Buffer.alloc(24, 7));
const vault = makeVault(masterKeyWrapper(loadMasterKey(undefined)));
const table = new SqliteTable({ database: openDatabase(':memory:') });

type ReceiverAnswer = number | null | (() => Promise<Partial<DeliveryResult>>);

/** An organization with a webhook endpoint, which gives the responses of `answers`, repeating the last. */
function world(...answers: readonly ReceiverAnswer[]) {
  const orgId = newId('organization', START);
  const sent: Delivery[] = [];
  const queued: QueueMessage[] = [];
  const lanes: string[] = [];
  const told: unknown[] = [];
  let now = START;
  const deps = {
    events: new EventRepo(table, { now: () => now }),
    webhookConfigs: new WebhookConfigRepo(table),
    members: new MemberRepo(table, { hashSecret: 'a secret' }),
    mail: { send: async () => undefined },
    config: { stage: 'live', apiUrl: 'https://api.example' } as ServiceConfig,
    vault,
    log: {
      info: (event: string, fields?: object) => void told.push([event, fields]),
      warn: () => undefined,
      error: () => undefined,
    },
    clock: { now: () => now },
    queue: {
      send: async (queue: string, messages: readonly QueueMessage[]) => {
        queued.push(...messages);
        lanes.push(...messages.map(() => queue));
      },
    },
    webhookHttp: {
      check: async () => undefined,
      post: async (delivery: Delivery): Promise<DeliveryResult> => {
        sent.push(delivery);
        const answer = answers[Math.min(sent.length, answers.length) - 1] ?? null;
        return {
          statusCode: 500,
          durationMs: 3,
          error: null,
          ...(typeof answer === 'function' ? await answer() : { statusCode: answer }),
        };
      },
    },
  };
  const configure = async (wish: Partial<WebhookConfig> = {}) => {
    const sealed_secret = await vault.seal(new Secret(SECRET), signingSecretContext(orgId));
    const times = { created_at: START.toISOString(), updated_at: START.toISOString() };
    await deps.webhookConfigs.save({
      org_id: orgId,
      url: 'https://shop.example/hook',
      events: ['*'],
      enabled: true,
      sealed_secret,
      version: 1,
      audits: 0,
      ...times,
      ...wish,
    });
  };
  const recordEvent = async (wish: Partial<EventRecord> = {}): Promise<string> => {
    const id = newId('event', START);
    const plain = {
      type: 'payment.created',
      data: { id: 'pay_1' },
      status: 'pending',
      attempts: [],
      next_attempt_at: null,
    } as const;
    await deps.events.record({ id, org_id: orgId, created_at: START.toISOString(), ...plain, ...wish });
    return id;
  };
  return {
    deps,
    sent,
    queued,
    lanes,
    told,
    configure,
    happen: recordEvent,
    advance: (ms: number) => {
      now = plus(now, ms);
    },
    deliver: (id: string, tries = 0, by?: DeliveryLane) =>
      deliverEvent({ org_id: orgId, event_id: id, tries }, deps, 1, by),
    deliverFirst: (id: string, receiveCount = 1, by?: DeliveryLane) =>
      deliverEvent({ org_id: orgId, id, type: 'payment.created' }, deps, receiveCount, by),
    /** As the relay publishes it. */
    deliverCarried: async (id: string, receiveCount = 1) => {
      const { type, created_at, data } = (await new EventRepo(table, deps.clock).get(orgId, id))!;
      await deliverEvent({ org_id: orgId, id, type, event: { created_at, data } }, deps, receiveCount);
    },
    replay: (id: string, more: object = {}) =>
      deliverEvent({ org_id: orgId, event_id: id, replay: true, ...more }, deps),
    event: async (id: string) => (await deps.events.get(orgId, id))!,
    item: (id: string) => table.get(keys.event(orgId, id)),
    dueAt: async (id: string) => String((await table.get(keys.event(orgId, id)))?.due_sk).split('#')[0],
  };
}

describe('delivering an event', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => {
    w = world(200);
  });

  it('sends it signed, and records the attempt', async () => {
    await w.configure();
    const id = await w.happen();
    await w.deliverFirst(id);
    const { url, headers, body, timeoutMs } = w.sent[0]!;
    expect([url, timeoutMs, headers['content-type']]).toEqual([
      'https://shop.example/hook',
      30_000,
      'application/json',
    ]);
    expect(new Webhook(SECRET).verify(body, { ...headers })).toMatchObject({
      id,
      type: 'payment.created',
      timestamp: Math.floor(START.getTime() / 1_000),
    });
    expect(await w.event(id)).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ at: START.toISOString(), status_code: 200, duration_ms: 3, error: null }],
    });
    expect(w.queued).toEqual([]);
  });

  it.each([
    ['not subscribed to', { events: ['payment.failed'] }],
    ['published while webhooks are disabled', { enabled: false }],
  ])('skips an event that is %s', async (_, wish) => {
    await w.configure(wish);
    const id = await w.happen();
    await w.deliver(id);
    expect(await w.event(id)).toMatchObject({ status: 'skipped', attempts: [] });
    expect(w.sent).toEqual([]);
  });

  it('skips an event of an organization without a configuration', async () => {
    const id = await w.happen();
    await w.deliver(id);
    expect(await w.event(id)).toMatchObject({ status: 'skipped' });
  });

  it.each<[string, Partial<EventRecord>]>([
    ['was delivered', {}],
    ['is pending', { status: 'pending' }],
  ])('writes nothing for a repeated message of an event that %s', async (_, wish) => {
    const w = world('status' in wish ? 500 : 200);
    await w.configure();
    const id = await w.happen();
    await w.deliverFirst(id);
    const before = await w.item(id);
    await w.deliverFirst(id, 2);
    await w.deliver(id);
    expect([w.sent.length, await w.item(id)]).toEqual([1, before]);
  });

  it('sends nothing for a repeated message', async () => {
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    await w.deliver(id);
    expect(w.sent).toHaveLength(1);
  });

  it('does nothing for an unknown event', async () => {
    await w.deliver(newId('event', START));
    expect(w.sent).toEqual([]);
  });

  it('rejects an invalid message', () => expect(deliverEvent({ event_id: 'evt_1' }, w.deps)).rejects.toThrow());
});

describe('an event that two pages of bulk replays have sent', () => {
  const inFlight = async (w: ReturnType<typeof world>, ...pages: readonly string[]) => {
    await w.configure();
    const id = await w.happen({ status: 'failed' });
    const attempted_before = w.deps.clock.now().toISOString();
    await Promise.all(pages.map((bulk_step) => w.replay(id, { only_failed: true, attempted_before, bulk_step })));
    return w.sent.length;
  };

  it('is delivered once, though neither message sees an attempt', async () =>
    expect(await inFlight(world(500), 'replay_1 0', 'replay_1 2')).toBe(1));

  it('is delivered again when the same page comes again after a crash', async () => {
    const w = world(() => Promise.reject(new Error('the process died')), 500);
    await expect(inFlight(w, 'replay_1 0')).rejects.toThrow('died');
    const { id } = JSON.parse(w.sent[0]!.body);
    await w.replay(id, { only_failed: true, attempted_before: START.toISOString(), bulk_step: 'replay_1 0' });
    expect([w.sent.length, (await w.event(id)).attempts.length]).toEqual([2, 1]);
  });
});

describe('the reads of a delivery', () => {
  /** Counts reads of events and of configurations. */
  function counted(w: ReturnType<typeof world>) {
    const reads = { events: 0, configs: 0 };
    const { events, webhookConfigs } = w.deps;
    const [getEvent, getConfig] = [events.get.bind(events), webhookConfigs.get.bind(webhookConfigs)];
    events.get = (...args) => {
      reads.events += 1;
      return getEvent(...args);
    };
    webhookConfigs.get = (...args) => {
      reads.configs += 1;
      return getConfig(...args);
    };
    return reads;
  }

  it('are one of the configuration for ten events that their messages carry', async () => {
    const w = world(200);
    await w.configure();
    const ids = await Promise.all(Array.from({ length: 10 }, () => w.happen()));
    w.advance(300);
    const reads = counted(w);
    await Promise.all(ids.map((id) => w.deliverCarried(id)));
    expect(reads).toEqual({ events: 0, configs: 1 });
    const bodies = w.sent.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ id, data }) => [id, data])).toEqual(ids.map((id) => [id, { id: 'pay_1' }]));
    expect((await w.event(ids[9]!)).status).toBe('delivered');
  });

  it('find the event and its endpoint when its message comes a second time', async () => {
    const w = world(200);
    await w.configure();
    const id = await w.happen();
    await w.deliverCarried(id);
    await w.deliverCarried(id, 2);
    expect(w.sent).toHaveLength(1);
  });

  it('find the configuration that an event was published under, however recently another one was read', async () => {
    const w = world(200);
    await w.configure();
    const first = await w.happen();
    w.advance(100);
    await w.deliverCarried(first);
    w.advance(100);
    // Another process changes it: this one does not notice.
    await new WebhookConfigRepo(table).save({
      ...(await w.deps.webhookConfigs.get((await w.event(first)).org_id))!,
      url: 'https://shop.example/new',
      version: 2,
    });
    w.advance(100);
    const created_at = w.deps.clock.now().toISOString();
    w.advance(100);
    await w.deliverCarried(await w.happen({ created_at }));
    expect(w.sent.map(({ url }) => url)).toEqual(['https://shop.example/hook', 'https://shop.example/new']);
  });

  it('find a changed configuration after two seconds, and at once for a replay', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    w.advance(100);
    await w.deliverCarried(id);
    w.advance(100);
    await w.deliver(id, 1);
    await w.deps.webhookConfigs.recent((await w.event(id)).org_id, w.deps.clock.now());
    await new WebhookConfigRepo(table).save({
      ...(await w.deps.webhookConfigs.get((await w.event(id)).org_id))!,
      url: 'https://shop.example/new',
      version: 2,
    });
    await w.deliver(id, 2);
    await w.replay(id);
    w.advance(2_200);
    await w.deliver(id, 3);
    expect(w.sent.map(({ url }) => new URL(url).pathname)).toEqual(['/hook', '/hook', '/hook', '/new', '/new']);
  });

  it('end an event that was attempted only by the configuration of now', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    w.advance(100);
    await w.deliver(id);
    const { org_id } = await w.event(id);
    await w.deps.webhookConfigs.save({ ...(await w.deps.webhookConfigs.get(org_id))!, enabled: false, version: 2 });
    await w.deps.webhookConfigs.recent(org_id, w.deps.clock.now());
    const elsewhere = new WebhookConfigRepo(table);
    await elsewhere.save({ ...(await elsewhere.get(org_id))!, enabled: true, version: 3 });
    await w.deliver(id, 1);
    expect([w.sent.length, (await w.event(id)).status]).toEqual([2, 'pending']);
  });
});

describe('a webhook endpoint that fails', () => {
  it('has one entry in the due index for all attempts that wait in the queue', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    await w.deliver(id, 0, 'slow-deliveries');
    const { due_pk, due_sk } = (await w.item(id))!;
    for (let tries = 1; tries < 3; tries += 1) {
      w.advance(retryDelaySeconds(id, tries)! * 1_000);
      await w.deliver(id, tries, 'slow-deliveries');
      expect(await w.item(id)).toMatchObject({ due_pk, due_sk, tries: tries + 1 });
    }
  });

  it('receives nine attempts over three days, the first ones from the queue, and then none', async () => {
    const w = world(503);
    await w.configure();
    const id = await w.happen();
    for (let tries = 0; tries < 9; tries += 1) {
      await w.deliver(id, tries, 'slow-deliveries');
      const wait = retryDelaySeconds(id, tries + 1);
      expect(w.queued.length).toBe(Math.min(tries + 1, 3));
      expect((await w.event(id)).next_attempt_at).toBe(
        wait ? plus(w.deps.clock.now(), wait * 1_000).toISOString() : null,
      );
      w.advance((wait ?? 0) * 1_000);
    }
    expect(await w.event(id)).toMatchObject({ status: 'failed', attempts: { length: 9 } });
    await w.deliver(id, 9);
    expect(w.sent).toHaveLength(9);
    expect(w.sent.map(({ headers }) => Number(headers['webhook-timestamp'])).at(-1)).toBeGreaterThan(
      START.getTime() / 1_000 + (1.7 * DAY) / 1_000,
    );
  });

  it('has its next attempt queued for its own organization before the current one is recorded', async () => {
    const w = world(null);
    await w.configure();
    const id = await w.happen();
    w.deps.events.recordAttempt = async () => {
      throw new Error('the process died');
    };
    await expect(w.deliver(id)).rejects.toThrow('died');
    const { org_id } = await w.event(id);
    expect(w.queued).toEqual([
      { body: { org_id, event_id: id, tries: 1 }, group: org_id, delaySeconds: retryDelaySeconds(id, 1) },
    ]);
  });

  it('receives the next attempt only once the current one is recorded', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    await expect(w.deliver(id, 1)).rejects.toThrow('not recorded yet');
    expect(w.sent).toEqual([]);
  });

  it('can ask for a later attempt with Retry-After', async () => {
    const w = world(async () => ({ statusCode: 429, retryAfter: 600 }));
    await w.configure();
    await w.deliver(await w.happen());
    expect(w.queued[0]?.delaySeconds).toBe(600);
  });

  it('receives no attempt sooner than scheduled, and its redirects are not followed', async () => {
    const w = world(async () => ({ statusCode: 302, retryAfter: 0 }));
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    expect(w.queued[0]?.delaySeconds).toBe(retryDelaySeconds(id, 1));
  });
});

describe('a first attempt that fails before it is sent', () => {
  const fails = () => Promise.reject(new Error('out of order'));
  type World = ReturnType<typeof world>;

  it.each<[string, (w: World) => void]>([
    ['its secret cannot be decrypted', ({ deps }) => Object.assign(deps, { vault: { ...vault, open: fails } })],
    ['the next attempt cannot be queued', ({ deps }) => Object.assign(deps.queue, { send: fails })],
    ['it cannot be recorded', ({ deps }) => Object.assign(deps.events, { recordAttempt: fails })],
    ['its event cannot be read', ({ deps }) => Object.assign(deps.events, { get: fails })],
    ['its configuration cannot be read', ({ deps }) => Object.assign(deps.webhookConfigs, { get: fails })],
  ])('because %s is found by the sweep even if its message reaches the dead-letter queue', async (_, destroy) => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    destroy(w);
    await expect(w.deliverFirst(id)).rejects.toThrow('out of order');
    expect(await w.dueAt(id)).toBe('undefined');
    w.advance(MINUTE);
    await expect(w.deliverFirst(id, 2)).rejects.toThrow('out of order');
    expect(await w.dueAt(id)).toBe(plus(START, MINUTE + LOST_AFTER).toISOString());
    expect(await w.item(id)).toMatchObject({ status: 'pending', attempts: [], tries: 0 });
  });

  it('is found by the sweep in the slow queue as well', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    Object.assign(w.deps, { vault: { ...vault, open: fails } });
    await expect(w.deliverFirst(id, 2, 'slow-deliveries')).rejects.toThrow('out of order');
    expect(await w.dueAt(id)).toBe(plus(START, LOST_AFTER).toISOString());
  });

  it('is sent even if its failure cannot be recorded in advance', async () => {
    const w = world(200);
    await w.configure();
    const id = await w.happen();
    w.deps.events.schedule = fails;
    await w.deliverFirst(id, 5);
    expect(await w.event(id)).toMatchObject({ status: 'delivered' });
  });

  it.each(LANES)(
    'is followed by a later message if it is the last and the store is down, in the queue %s',
    async (by) => {
      const w = world(200);
      await w.configure();
      const id = await w.happen();
      w.deps.events.schedule = fails;
      w.deps.events.get = fails;
      for (const receiveCount of [1, 2, 3, 4, 5])
        await expect(w.deliverFirst(id, receiveCount, by)).rejects.toThrow('out of order');
      expect([w.queued, w.lanes]).toMatchObject([[{ body: { event_id: id, tries: 0 }, delaySeconds: 900 }], [by]]);
    },
  );

  it('is not sent again when its message comes out of the dead letters after the sweep has found it', async () => {
    const w = world(200);
    await w.configure();
    const id = await w.happen();
    w.advance(DAY);
    await w.deliver(id);
    await w.deliverCarried(id);
    expect([w.sent.length, (await w.event(id)).attempts.length]).toEqual([1, 1]);
  });

  it('is not sent again by that later message if there was an attempt meanwhile', async () => {
    const w = world(200);
    await w.configure();
    const id = await w.happen();
    const schedule = w.deps.events.schedule.bind(w.deps.events);
    w.deps.events.schedule = fails;
    await w.deliverCarried(id, 5);
    w.deps.events.schedule = schedule;
    for (const { body } of w.queued) await deliverEvent(body, w.deps);
    expect([w.queued.length, w.sent.length, (await w.event(id)).attempts.length]).toEqual([1, 1, 1]);
  });

  it('does not overwrite the result of another worker', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    const { recordAttempt: settle } = EventRepo.prototype;
    w.deps.events.recordAttempt = async (...args) => {
      await settle.apply(w.deps.events, args);
      return fails();
    };
    await expect(w.deliverFirst(id)).rejects.toThrow('out of order');
    await w.deliverFirst(id, 2);
    const wait = retryDelaySeconds(id, 1) ?? 0;
    expect(await w.dueAt(id)).toBe(plus(START, wait * 1_000 + LOST_AFTER).toISOString());
  });
});

describe('the state of an endpoint after an attempt', () => {
  const crashBefore = async (w: ReturnType<typeof world>, method: 'disable' | 'recordRecovery') => {
    w.deps.webhookConfigs[method] = async () => {
      throw new Error('the process died');
    };
  };

  it('is recorded after the attempt itself', async () => {
    const w = world(410);
    await w.configure();
    const id = await w.happen();
    await crashBefore(w, 'disable');
    await expect(w.deliver(id)).rejects.toThrow('died');
    expect(await w.event(id)).toMatchObject({ status: 'failed', attempts: [{ status_code: 410 }] });
  });

  it('causes the message for the mail before the endpoint is disabled, with a delay that outlasts every worker', async () => {
    const w = world(410);
    await w.configure();
    const id = await w.happen();
    await crashBefore(w, 'disable');
    await expect(w.deliver(id)).rejects.toThrow('died');
    const { org_id } = await w.event(id);
    const body = { org_id, turned_off: { audit: 1, act_id: expect.stringMatching(/^act_/) } };
    expect([w.lanes, w.queued]).toEqual([
      ['slow-deliveries'],
      [{ body, group: org_id, delaySeconds: NOTIFY_AFTER / SECOND }],
    ]);
    const longest = Math.max(...LANES.map((lane) => FUNCTIONS[lane].timeoutSeconds));
    expect(NOTIFY_AFTER).toBeGreaterThan(longest * SECOND);
  });

  it('is dated when it is recorded, because other attempts may have succeeded in the meantime', async () => {
    const w = world(500, async () => {
      w.advance(30_000);
      return { statusCode: null, error: 'timeout' };
    });
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    await w.deliver(id, 1);
    const { org_id, attempts } = await w.event(id);
    expect(attempts.at(-1)?.at).toBe(START.toISOString());
    expect((await w.deps.webhookConfigs.get(org_id))?.failing_since).toBe(plus(START, 30_000).toISOString());
  });
});

describe('a webhook endpoint that counts as failing', () => {
  /** Failures only, for so many seconds. */
  async function failing(seconds: number, ...answers: readonly ReceiverAnswer[]) {
    const w = world(...answers);
    await w.configure();
    const id = await w.happen();
    const { org_id } = await w.event(id);
    await w.deps.webhookConfigs.recordFailing(
      (await w.deps.webhookConfigs.get(org_id))!,
      'failing_since',
      plus(START, -seconds * 1_000),
    );
    return { ...w, id, org_id, failingSince: async () => (await w.deps.webhookConfigs.get(org_id))?.failing_since };
  }

  it('is not called from the fast queue: its messages move on to the slow one', async () => {
    const w = await failing(61, 200);
    await w.deliverFirst(w.id);
    await w.replay(w.id);
    expect([w.sent, await w.event(w.id)]).toMatchObject([[], { status: 'pending', tries: 0 }]);
    expect(w.lanes).toEqual(['slow-deliveries', 'slow-deliveries']);
    expect(w.queued).toMatchObject([
      { body: { org_id: w.org_id, event_id: w.id, tries: 0, replay: false }, group: w.org_id },
      { body: { org_id: w.org_id, event_id: w.id, replay: true }, group: w.org_id },
    ]);
  });

  it('is called from the slow queue, where its next attempt waits as well', async () => {
    const w = await failing(61, 500);
    await w.deliver(w.id, 0, 'slow-deliveries');
    expect([w.sent.length, w.lanes, w.queued[0]?.body.tries]).toEqual([1, ['slow-deliveries'], 1]);
  });

  it('does not count as failing in its first minute', async () => {
    const w = await failing(60, 500);
    await w.deliver(w.id);
    expect([w.sent.length, w.lanes]).toEqual([1, ['webhook-delivery']]);
  });

  it('recovers with its first success: later events use the fast queue', async () => {
    const w = await failing(61, 200, 500);
    await w.deliver(w.id, 0, 'slow-deliveries');
    expect([(await w.event(w.id)).status, await w.failingSince()]).toEqual(['delivered', undefined]);
    await w.deliver(await w.happen());
    expect([w.sent.length, w.lanes]).toEqual([2, ['webhook-delivery']]);
  });

  it('is called from the slow queue even if it recovered in the meantime', async () => {
    const w = await failing(61, 200);
    await w.deps.webhookConfigs.recordRecovery((await w.deps.webhookConfigs.get(w.org_id))!);
    await w.deliver(w.id, 0, 'slow-deliveries');
    expect([w.sent.length, w.queued, (await w.event(w.id)).status]).toEqual([1, [], 'delivered']);
  });

  it('receives one request for a repeated message', async () => {
    const w = await failing(61, 200);
    await w.deliver(w.id, 0, 'slow-deliveries');
    await w.deliver(w.id, 0, 'slow-deliveries');
    await w.deliver(w.id);
    expect([w.sent.length, w.queued]).toEqual([1, []]);
  });
});

describe('a replay', () => {
  it.each(['delivered', 'failed', 'skipped'] as const)('sends an event again that was %s', async (status) => {
    const w = world(200);
    await w.configure({ events: ['payment.failed'] });
    const id = await w.happen({ status });
    await w.replay(id);
    expect(w.sent[0]?.headers['webhook-id']).toBe(id);
    expect(await w.event(id)).toMatchObject({ status: 'delivered', attempts: { length: 1 } });
  });

  it('sends and changes nothing while webhooks are disabled', async () => {
    const w = world(200);
    await w.configure({ enabled: false });
    const id = await w.happen({ status: 'delivered' });
    await w.replay(id);
    expect([w.sent, (await w.event(id)).status]).toEqual([[], 'delivered']);
  });

  it('that fails leaves the scheduled attempts unchanged, and is logged', async () => {
    const w = world(500, 501, 502, 503);
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    const { next_attempt_at } = await w.event(id);
    for (let n = 0; n < 2; n += 1) await w.replay(id);
    expect(await w.event(id)).toMatchObject({
      status: 'pending',
      next_attempt_at,
      attempts: [500, 501, 502].map((status_code) => ({ status_code })),
    });
    await w.deliver(id, 1);
    expect((await w.event(id)).attempts.map(({ status_code }) => status_code)).toEqual([500, 501, 502, 503]);
    expect(w.queued.map(({ body }) => body.tries)).toEqual([1, 2]);
  });

  it('is counted in the metrics, like every attempt', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    await w.replay(id);
    expect(w.told).toEqual([
      ['delivery_tried', { outcome: 'pending', delivery_ms: 3, event_id: id, resource_id: 'pay_1' }],
      ['delivery_tried', { outcome: 'pending', delivery_ms: 3, event_id: id, resource_id: 'pay_1' }],
    ]);
  });

  it('of all failed events leaves alone what was delivered in the meantime', async () => {
    const w = world(200);
    await w.configure();
    const id = await w.happen({ status: 'failed' });
    await w.replay(id, { only_failed: true });
    await w.replay(id, { only_failed: true });
    expect([w.sent.length, (await w.event(id)).status]).toEqual([1, 'delivered']);
  });

  it('of all failed events sends an event once, though its message arrives twice', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen({ status: 'failed' });
    const message = { only_failed: true, attempted_before: START.toISOString() };
    await w.replay(id, message);
    await w.replay(id, message);
    expect([w.sent.length, (await w.event(id)).status]).toEqual([1, 'failed']);
    w.advance(MINUTE);
    await w.replay(id, { ...message, attempted_before: plus(START, MINUTE).toISOString() });
    expect(w.sent.length).toBe(2);
  });

  it.each([
    [
      'fails leaves the event delivered and logs the failure',
      500,
      200,
      { status: 'delivered', attempts: [{ status_code: 200 }, { status_code: 500 }] },
    ],
    [
      'succeeds records both',
      200,
      500,
      { status: 'delivered', attempts: [{ status_code: 500 }, { status_code: 200 }] },
    ],
    ['fails too records both', 501, 500, { status: 'pending', attempts: [{ status_code: 500 }, { status_code: 501 }] }],
  ])('during an attempt that %s', async (_, later, sooner, expected) => {
    const answer = async () => {
      await w.replay(id);
      return { statusCode: later };
    };
    const w = world(answer, sooner);
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    const { status, attempts } = await w.event(id);
    expect({ status, attempts: attempts.map(({ status_code }) => ({ status_code })) }).toEqual(expected);
  });

  it('that fails while a later attempt is running leaves the one after that as scheduled', async () => {
    const w = world(
      500,
      async () => {
        await w.replay(id);
        return { statusCode: 502 };
      },
      501,
    );
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    await w.deliver(id, 1);
    const wait = retryDelaySeconds(id, 2) ?? 0;
    expect(await w.event(id)).toMatchObject({
      tries: 2,
      next_attempt_at: plus(START, wait * 1_000).toISOString(),
      attempts: [500, 501, 502].map((status_code) => ({ status_code })),
    });
    expect(new Set(w.queued.map(({ body }) => body.tries))).toEqual(new Set([1, 2]));
  });
});
