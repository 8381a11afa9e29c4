import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it } from 'vitest';
import { deliverEvent } from '#functions/webhook-delivery/deliver-event.usecase.ts';
import { waitAfter } from '#shared/domain/delivery.rules.ts';
import type { EventRecord } from '#shared/domain/events.catalog.ts';
import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { secretPlace, signingSecret } from '#shared/domain/webhook-signature.rules.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import { Secret } from '#shared/kernel/secret.ts';
import { loadMasterKey, masterKeyWrapper } from '#shared/local/master-key.adapter.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';
import type { Delivery, DeliveryResult } from '#shared/ports/receiver.port.ts';
import { EventRepo } from '#shared/store/event.repo.ts';
import { ReceiverRepo } from '#shared/store/receiver.repo.ts';
import { openDatabase } from '#shared/store/sqlite-commit.ts';
import { SqliteTable } from '#shared/store/sqlite-table.adapter.ts';
import { makeVault } from '#shared/vault/envelope-vault.adapter.ts';

const START = new Date();
const SECRET = signingSecret(Buffer.alloc(24, 7));
const vault = makeVault(masterKeyWrapper(loadMasterKey(undefined)));
const table = new SqliteTable({ database: openDatabase(':memory:') });
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An organization of its own; the receiver answers what `answers` says, its last again and again. */
function world(...answers: readonly (number | null | (() => Promise<Partial<DeliveryResult>>))[]) {
  const orgId = newId('organization', START);
  const sent: Delivery[] = [];
  const queued: QueueMessage[] = [];
  let now = START;
  const deps = {
    events: new EventRepo(table),
    receivers: new ReceiverRepo(table),
    vault,
    log: silent,
    clock: { now: () => now },
    queue: { send: async (_: string, messages: readonly QueueMessage[]) => void queued.push(...messages) },
    outbound: {
      check: async () => undefined,
      post: async (delivery: Delivery): Promise<DeliveryResult> => {
        sent.push(delivery);
        const answer = answers[Math.min(sent.length, answers.length) - 1] ?? null;
        return { statusCode: 500, durationMs: 3, error: null, ...(typeof answer === 'function' ? await answer() : { statusCode: answer }) };
      },
    },
  };
  const configure = async (wish: Partial<ReceiverConfig> = {}) => {
    const sealed_secret = await vault.seal(new Secret(SECRET), secretPlace(orgId));
    const times = { created_at: START.toISOString(), updated_at: START.toISOString() };
    await deps.receivers.save({ org_id: orgId, url: 'https://shop.example/hook', events: ['*'], enabled: true, sealed_secret, ...times, ...wish }, true);
  };
  const happen = async (wish: Partial<EventRecord> = {}): Promise<string> => {
    const id = newId('event', START);
    const plain = { type: 'payment.created', data: { id: 'pay_1' }, status: 'pending', attempts: [], next_attempt_at: null } as const;
    await deps.events.record({ id, org_id: orgId, created_at: START.toISOString(), ...plain, ...wish });
    return id;
  };
  return {
    deps,
    sent,
    queued,
    configure,
    happen,
    advance: (ms: number) => {
      now = plus(now, ms);
    },
    deliver: (id: string, tries = 0) => deliverEvent({ org_id: orgId, event_id: id, tries }, deps),
    deliverFirst: (id: string) => deliverEvent({ org_id: orgId, id, type: 'payment.created' }, deps),
    replay: (id: string) => deliverEvent({ org_id: orgId, event_id: id, replay: true }, deps),
    event: async (id: string) => (await deps.events.get(orgId, id))!,
  };
}

describe('delivering an event', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => {
    w = world(200);
  });

  it('sends it signed, and records the try', async () => {
    await w.configure();
    const id = await w.happen();
    await w.deliverFirst(id);
    const { url, headers, body, timeoutMs } = w.sent[0]!;
    expect([url, timeoutMs, headers['content-type']]).toEqual(['https://shop.example/hook', 30_000, 'application/json']);
    expect(new Webhook(SECRET).verify(body, { ...headers })).toMatchObject({ id, type: 'payment.created', timestamp: Math.floor(START.getTime() / 1_000) });
    expect(await w.event(id)).toMatchObject({
      status: 'delivered',
      next_attempt_at: null,
      attempts: [{ at: START.toISOString(), status_code: 200, duration_ms: 3, error: null }],
    });
    expect(w.queued).toEqual([]);
  });

  it.each([
    ['not subscribed to', { events: ['payment.failed'] }],
    ['sent nowhere while disabled', { enabled: false }],
  ])('skips one that is %s', async (_, wish) => {
    await w.configure(wish);
    const id = await w.happen();
    await w.deliver(id);
    expect(await w.event(id)).toMatchObject({ status: 'skipped', attempts: [] });
    expect(w.sent).toEqual([]);
  });

  it('skips one that nothing is configured for', async () => {
    const id = await w.happen();
    await w.deliver(id);
    expect(await w.event(id)).toMatchObject({ status: 'skipped' });
  });

  it('does nothing for a message that came twice', async () => {
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    await w.deliver(id);
    expect(w.sent).toHaveLength(1);
  });

  it('does nothing for an event that nobody knows', async () => {
    await w.deliver(newId('event', START));
    expect(w.sent).toEqual([]);
  });

  it('refuses a message it does not understand', () => expect(deliverEvent({ event_id: 'evt_1' }, w.deps)).rejects.toThrow());
});

describe('a receiver that fails', () => {
  it('is tried nine times over three days, the first waits in the queue, and then no more', async () => {
    const w = world(503);
    await w.configure();
    const id = await w.happen();
    for (let tries = 0; tries < 9; tries += 1) {
      await w.deliver(id, tries);
      const wait = waitAfter(id, tries + 1);
      expect(w.queued.length).toBe(Math.min(tries + 1, 3));
      expect((await w.event(id)).next_attempt_at).toBe(wait ? plus(w.deps.clock.now(), wait * 1_000).toISOString() : null);
      w.advance((wait ?? 0) * 1_000);
    }
    expect(await w.event(id)).toMatchObject({ status: 'failed', attempts: { length: 9 } });
    await w.deliver(id, 9);
    expect(w.sent).toHaveLength(9);
    expect(w.sent.map(({ headers }) => Number(headers['webhook-timestamp'])).at(-1)).toBeGreaterThan(START.getTime() / 1_000 + (1.7 * DAY) / 1_000);
  });

  it('has its next try in the queue, for its own organization, before this one is recorded', async () => {
    const w = world(null);
    await w.configure();
    const id = await w.happen();
    w.deps.events.settle = async () => {
      throw new Error('the process died');
    };
    await expect(w.deliver(id)).rejects.toThrow('died');
    const { org_id } = await w.event(id);
    expect(w.queued).toEqual([{ body: { org_id, event_id: id, tries: 1 }, group: org_id, delaySeconds: waitAfter(id, 1) }]);
  });

  it('gets the next try only once this one is recorded', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    await expect(w.deliver(id, 1)).rejects.toThrow('not settled yet');
    expect(w.sent).toEqual([]);
  });

  it('may ask for a later try', async () => {
    const w = world(async () => ({ statusCode: 429, retryAfter: 600 }));
    await w.configure();
    await w.deliver(await w.happen());
    expect(w.queued[0]?.delaySeconds).toBe(600);
  });

  it('is asked no sooner than the schedule says, and answers no redirect', async () => {
    const w = world(async () => ({ statusCode: 302, retryAfter: 0 }));
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    expect(w.queued[0]?.delaySeconds).toBe(waitAfter(id, 1));
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

  it('goes nowhere, and changes nothing, while webhooks are disabled', async () => {
    const w = world(200);
    await w.configure({ enabled: false });
    const id = await w.happen({ status: 'delivered' });
    await w.replay(id);
    expect([w.sent, (await w.event(id)).status]).toEqual([[], 'delivered']);
  });

  it('that fails takes the place of the next try', async () => {
    const w = world(500);
    await w.configure();
    const id = await w.happen();
    await w.deliver(id);
    await w.replay(id);
    await w.deliver(id, 1);
    expect(w.sent).toHaveLength(2);
    expect(w.queued.map(({ body }) => body.tries)).toEqual([1, 2]);
  });

  it.each([
    ['fails, leaves the success and forgets the failure', 500, 200, { status: 'delivered', attempts: [{ status_code: 200 }] }],
    ['succeeds, leaves both recorded', 200, 500, { status: 'delivered', attempts: [{ status_code: 500 }, { status_code: 200 }] }],
    ['fails too, takes one step of the schedule', 500, 500, { status: 'pending', attempts: [{ status_code: 500 }] }],
  ])('during a try that %s', async (_, later, sooner, expected) => {
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
});
