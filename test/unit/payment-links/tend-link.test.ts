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

/**
 * A form that was sent twice: what took the slot first died, or was slower, and the payment bears the time of the
 * other.
 */
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

async function tended(store: Store, link: PaymentLink): Promise<PaymentLink> {
  const found = (await store.paymentLinks.byId(link.id)) ?? link;
  return processDueLink(found, { ...store, clock: { now: () => later(36 * MINUTE) } } as unknown as Deps);
}

describe('the slot of a payment that has not come to an end in its time', () => {
  it.each<[string, Partial<Payment>, number]>([
    ['waits for the link to count it where it has its money', { status: 'succeeded' }, 0],
    ['goes to others where it has none', { status: 'processing' }, 1],
  ])('%s', async (_, about, left) => {
    const store = memoryStore();
    const link = await store.paymentLinks.create(aPaymentLink());
    await startedTwice(store, link, about, 'form');
    expect((await tended(store, link)).slots_left).toBe(left);
  });

  it('goes back with all the others at once', async () => {
    const store = memoryStore();
    const link = await store.paymentLinks.create(aPaymentLink({ max_payments: 20 }));
    await times(20, (n) => startedTwice(store, link, { status: 'processing' }, `form ${n}`));
    const before = (await store.paymentLinks.byId(link.id))?.version ?? 0;
    const after = await tended(store, link);
    expect([after.slots_left, after.slots, after.version - before]).toEqual([20, {}, 1]);
  });
});
