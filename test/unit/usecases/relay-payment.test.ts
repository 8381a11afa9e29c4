import { describe, expect, it } from 'vitest';
import { announce } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { BusEvent } from '#shared/ports/bus.port.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { relayPayment } from '#shared/services/relay/relay-events.service.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { anAttempt, aPayment } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** A stored payment with its announcements, and a bus that records what is published, or fails. */
async function announcing(payment: Payment) {
  const store = memoryStore();
  const published: BusEvent[] = [];
  let isDown = false;
  const bus = {
    publish: async (events: readonly BusEvent[]) => {
      if (isDown) throw new Error('The bus is down.');
      published.push(...events);
    },
  };
  await store.table.put(paymentEntity.toItem(payment, START));
  const read = async () => (await store.payments.byId(payment.id)) ?? payment;
  return {
    ...store,
    published,
    read,
    breakBus: (broken: boolean) => {
      isDown = broken;
    },
    relay: async (seen?: Payment) => relayPayment(seen ?? (await read()), { ...store, bus } as unknown as Deps),
  };
}

const failed = anAttempt({ id: 'att_1', connection_id: 'conn_a', workflow_id: 'wft_a', status: 'failed' });
const next = anAttempt({
  id: 'att_2',
  connection_id: 'conn_b',
  workflow_id: 'wft_b',
  started_at: later(1_000).toISOString(),
});
const twice = announce(
  announce(aPayment({ status: 'failed', attempts: [failed] }), 'payment.created', START),
  'payment.failed',
  START,
);

describe('the relay of a payment', () => {
  it('publishes the connection with a workflow that the payment used', async () => {
    const { relay, published, read } = await announcing(twice);
    await relay();
    expect(published.map(({ type, through }) => [type, through])).toEqual([
      ['payment.created', { connection_id: 'conn_a', workflow_id: 'wft_a' }],
      ['payment.failed', { connection_id: 'conn_a', workflow_id: 'wft_a' }],
    ]);
    expect((await read()).outbox).toEqual([]);
  });

  it('publishes no connection if there is none', async () => {
    const { relay, published } = await announcing(
      announce(aPayment({ status: 'created', intent: true }), 'payment.created', START),
    );
    await relay();
    expect(published.map(({ through }) => through)).toEqual([undefined]);
  });

  it('publishes the same again late, after the payment was retried elsewhere', async () => {
    const { relay, published, payments, read, breakBus } = await announcing(twice);
    breakBus(true);
    await expect(relay()).rejects.toThrow('down');
    await payments.change(await read(), (p) => ({
      ...p,
      status: 'processing',
      attempts: [failed, next],
      connection_id: 'conn_b',
    }));
    breakBus(false);
    await relay();
    await relay(twice);
    expect(published.map(({ through }) => through?.workflow_id)).toEqual(['wft_a', 'wft_a', 'wft_a', 'wft_a']);
    expect(new Set(published.map(({ id }) => id)).size).toBe(2);
  });
});
