import { describe, expect, it } from 'vitest';
import { replayEvent } from '#functions/webhooks/replay-events.usecase.ts';
import type { EventStub } from '#shared/domain/payments/payment.model.ts';
import type { EventAttempt } from '#shared/domain/reference/events.catalog.ts';
import { LOST_AFTER } from '#shared/domain/webhooks/delivery.rules.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { BusEvent } from '#shared/ports/bus.port.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { QueueMessage } from '#shared/ports/queue.port.ts';
import type { WebhookConfigsPort } from '#shared/ports/webhook-configs.port.ts';
import { publishOutbox } from '#shared/services/relay/publish-outbox.service.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const FAILURE: EventAttempt = { at: START.toISOString(), status_code: 500, duration_ms: 3, error: null };

/** An event that was announced while the bus was down. */
async function announced() {
  const { events, workflows, organizations, clock } = memoryStore();
  const stub: EventStub = { id: newId('event', START), type: 'payment.created', at: START.toISOString(), was: {} };
  const published: BusEvent[] = [];
  const queued: QueueMessage[] = [];
  let [isDown, now] = [true, START];
  const bus = {
    publish: async (all: readonly BusEvent[]) => {
      if (isDown) throw new Error('The bus is down.');
      published.push(...all);
    },
  };
  const announce = () =>
    publishOutbox({ org_id: ORG, outbox: [stub] }, () => ({ id: 'pay_1' }), {
      events,
      bus,
      workflows,
      organizations,
      clock,
    });
  await expect(announce()).rejects.toThrow('down');
  const receivers = { get: async () => ({ enabled: true }) } as unknown as WebhookConfigsPort;
  const queue = { send: async (_: string, messages: readonly QueueMessage[]) => void queued.push(...messages) };
  return {
    id: stub.id,
    events,
    published,
    queued,
    announce: async () => {
      isDown = false;
      await announce();
    },
    replay: () =>
      replayEvent({ id: stub.id }, { orgId: ORG } as Caller, {
        events,
        webhookConfigs: receivers,
        bus,
        queue,
        clock: { now: () => now },
      }),
    wait: (ms: number) => {
      now = later(ms);
    },
    stored: async () => (await events.get(ORG, stub.id))!,
  };
}

describe('a replay of an event', () => {
  it('sends nothing while the event is unpublished, because publishing it informs everybody', async () => {
    const { id, replay, queued, announce, published } = await announced();
    expect(await replay()).toMatchObject({ id, status: 'pending', attempts: [] });
    expect(queued).toEqual([]);
    await announce();
    expect(published.map((event) => event.id)).toEqual([id]);
  });

  it('publishes an event again that was not sent within fifteen minutes', async () => {
    const { id, replay, queued, announce, published, wait } = await announced();
    await announce();
    wait(LOST_AFTER - 1);
    await replay();
    expect(published).toHaveLength(1);
    wait(LOST_AFTER);
    await replay();
    expect([published.slice(1), queued]).toEqual([[{ id, type: 'payment.created', org_id: ORG }], []]);
  });

  it('fails while the bus is down if the event has to be published again', async () => {
    const { replay, wait } = await announced();
    wait(LOST_AFTER);
    await expect(replay()).rejects.toThrow('down');
  });

  it.each([
    ['waits for its next attempt', { attempt: FAILURE, status: 'pending', nextAt: later(1), dueAt: null }],
    ['was delivered', { attempt: FAILURE, status: 'delivered', nextAt: null, dueAt: null }],
    ['was skipped without an attempt', { status: 'skipped', nextAt: null, dueAt: null }],
    ['failed without an attempt', { status: 'failed', nextAt: null, dueAt: null }],
  ] as const)('sends an event that %s', async (_, next) => {
    const { id, events, replay, queued, stored } = await announced();
    await events.recordAttempt(await stored(), next);
    await replay();
    expect(queued).toEqual([{ body: { org_id: ORG, event_id: id, replay: true }, group: ORG }]);
  });
});
