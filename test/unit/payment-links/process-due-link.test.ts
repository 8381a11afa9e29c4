import { describe, expect, it } from 'vitest';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { processDueLink } from '#shared/services/links/process-due-link.service.ts';
import { aTicket, memoryStore, times } from '#test/support/memory-store.ts';
import { aPayment } from '#test/support/payment.builder.ts';
import { aPaymentLink } from '#test/support/payment-link.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

type Store = ReturnType<typeof memoryStore>;

/** A form that was sent twice: one request took the slot and crashed, the other wrote the payment with its own time. */
async function startedTwice(
  { payments, paymentLinks }: Store,
  link: PaymentLink,
  about: Partial<Payment>,
  key: string,
): Promise<void> {
  await payments.claim(aTicket({ key }), later(MINUTE), async (operation) => {
    await paymentLinks.reserve(link, operationId({ ...operation, at: START }, 'payment'), START);
    const id = operationId(operation, 'payment');
    return aPayment({
      id,
      payment_link_id: link.id,
      link_hold: { until: later(31 * MINUTE).toISOString(), became: 'held' },
      version: 1,
      ...about,
    });
  });
}

async function processed(store: Store, link: PaymentLink): Promise<PaymentLink> {
  const found = (await store.paymentLinks.byId(link.id)) ?? link;
  return processDueLink(found, { ...store, clock: { now: () => later(36 * MINUTE) } } as unknown as Deps);
}

describe('the slot of a payment whose hold has expired', () => {
  it.each<[string, Partial<Payment>, number]>([
    ['stays until the link counts it if the payment succeeded', { status: 'succeeded' }, 0],
    ['is freed if the payment has not succeeded', { status: 'processing' }, 1],
  ])('%s', async (_, about, left) => {
    const store = memoryStore();
    const link = await store.paymentLinks.create(aPaymentLink());
    await startedTwice(store, link, about, 'form');
    expect((await processed(store, link)).slots_left).toBe(left);
  });

  it('is freed in one write with all other expired slots', async () => {
    const store = memoryStore();
    const link = await store.paymentLinks.create(aPaymentLink({ max_payments: 20 }));
    await times(20, (n) => startedTwice(store, link, { status: 'processing' }, `form ${n}`));
    const before = (await store.paymentLinks.byId(link.id))?.version ?? 0;
    const after = await processed(store, link);
    expect([after.slots_left, after.slots, after.version - before]).toEqual([20, {}, 1]);
  });
});
