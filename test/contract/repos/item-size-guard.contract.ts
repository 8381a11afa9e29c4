import { describe, expect, it } from 'vitest';
import { countPayment } from '#shared/domain/links/payment-link.machine.ts';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { cancelLocally } from '#shared/domain/payments/attempt-ending.machine.ts';
import { startAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { EventStub, Payment } from '#shared/domain/payments/payment.model.ts';
import { tagOnce } from '#shared/domain/payments/payment-tags.rules.ts';
import { reserveRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { type ReportResult, recordReported, UNSENT } from '#shared/domain/payments/reported-refund.rules.ts';
import type { NewAttempt } from '#shared/domain/payments/verdict.model.ts';
import { MAX_RECORD_BYTES } from '#shared/store/item-size-guard.ts';
import { keys } from '#shared/store/keys.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { aFailure, aPayment, paymentId } from '#test/support/payment.builder.ts';
import { aPaymentLink } from '#test/support/payment-link.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const KB = 1_000;
/** Pending events of so many bytes together. */
const waiting = (kb: number): { readonly outbox: readonly EventStub[]; readonly announced: number } => ({
  outbox: [{ id: 'evt_1', type: 'payment.created', at: START.toISOString(), was: { note: 'x'.repeat(kb * KB) } }],
  announced: 1,
});

const SEED: NewAttempt = { id: 'att_2', connection_id: 'conn_a', provider: 'stripe', alternatives: [] };
const FAILED = { kind: 'failed', reference: null, failure: aFailure(), allowsFailover: true } as const;
const pending = aPayment({ status: 'succeeded' }).attempts[0]!;
const MADE_AT_PSP = {
  verdict: { kind: 'succeeded', reference: 'rf_1' },
  reference: 'rf_1',
  amount: 100,
  currency: 'USD',
  ourId: null,
  charge: pending.psp_reference,
  connection_id: pending.connection_id,
  newId: 're_1',
} as const;
const paymentIn = (recorded: ReportResult) => (recorded.kind === 'recorded' ? recorded.payment : undefined);
const withRefund = (p: Payment): Payment => reserveRefund(p, { id: 're_1', amount: 100 }, START);

export function rooms(): void {
  async function stored(payment: Payment) {
    const store = memoryStore();
    await store.table.put(paymentEntity.toItem(payment, START));
    return { ...store, payment: paymentEntity.fromItem(paymentEntity.toItem(payment, START)) };
  }

  describe('a payment of the maximum size for requests', () => {
    it.each<[string, Partial<Payment>, (p: Payment) => Payment | undefined]>([
      ['cannot be started', { status: 'created' }, (p) => startAttempt(p, SEED, 'start', START)],
      ['cannot be retried', { status: 'failed' }, (p) => startAttempt(p, SEED, 'retry', START)],
      ['cannot be refunded', { status: 'succeeded' }, withRefund],
      ['cannot be tagged', { status: 'succeeded' }, (p) => tagOnce(p, { stage: 'new' }, 'act_1', START)],
    ])('%s: for now with pending events, otherwise for good', async (_, about, change) => {
      for (const [held, code] of [
        [waiting(300), 'events_waiting'] as const,
        [{ description: 'x'.repeat(300 * KB) }, 'record_full'] as const,
      ]) {
        const { payments, payment } = await stored(aPayment({ ...about, ...held }));
        await expect(payments.change(payment, change)).rejects.toMatchObject({ code });
        expect(await payments.byId(payment.id)).toEqual(payment);
      }
    });

    it.each<[string, Partial<Payment>, (p: Payment) => Payment | undefined]>([
      [
        'has succeeded',
        {},
        (p) => settle(p, 'att_1', { kind: 'succeeded', reference: 'ch_1', amount: 5_000, currency: 'USD' }, START),
      ],
      ['has failed', {}, (p) => settle(p, 'att_1', FAILED, START)],
      [
        'fails over to the next connection',
        { alternatives: ['conn_b'] },
        (p) => settle(p, 'att_1', FAILED, START, { next: SEED }),
      ],
      [
        'succeeds late',
        { status: 'failed' },
        (p) => settle(p, 'att_1', { kind: 'succeeded', reference: 'ch_1', amount: 5_000, currency: 'USD' }, START),
      ],
      ['is canceled', { status: 'created' }, (p) => cancelLocally(p, START)],
      [
        'was refunded',
        withRefund(aPayment({ status: 'succeeded' })),
        (p) => settleRefund(p, 're_1', { kind: 'succeeded', reference: 'rf_1' }, START),
      ],
      [
        'was refunded at the provider',
        { status: 'succeeded' },
        (p) => paymentIn(recordReported(p, MADE_AT_PSP, UNSENT, START)),
      ],
    ])('still records that it %s', async (_, about, change) => {
      const { payments, payment } = await stored(aPayment({ ...about, ...waiting(310) }));
      expect(await payments.change(payment, change)).toMatchObject({ version: payment.version + 1 });
    });

    it('postpones even its outcome if the item is full', async () => {
      const { payments, payment } = await stored(aPayment(waiting(407.4)));
      await expect(payments.change(payment, (p) => settle(p, 'att_1', FAILED, START))).rejects.toMatchObject({
        code: 'events_waiting',
        status: 503,
      });
      expect(await payments.byId(payment.id)).toEqual(payment);
      const passedOn = await payments.change(payment, (p) => ({ ...p, outbox: [] }));
      expect(await payments.change(passedOn, (p) => settle(p, 'att_1', FAILED, START))).toMatchObject({
        status: 'failed',
      });
    });
  });

  describe('a payment of the maximum JSON length for requests', () => {
    it.each<[string, string]>([
      ['control characters', '\u0001'],
      ['quotes', '"'],
      ['line breaks', '\n'],
    ])('of %s cannot grow, even if the item has room, and still records its outcome', async (_, char) => {
      const textual = (bytes: number) => ({
        description: char.repeat(Math.ceil(bytes / (JSON.stringify(char).length - 2))),
      });
      const { payments, payment } = await stored(aPayment({ status: 'succeeded', ...textual(350 * KB) }));
      await expect(payments.change(payment, withRefund)).rejects.toMatchObject({ code: 'record_full', status: 409 });
      expect(await payments.byId(payment.id)).toEqual(payment);
      const charging = await stored(aPayment(textual(350 * KB)));
      expect(await charging.payments.change(charging.payment, (p) => settle(p, 'att_1', FAILED, START))).toMatchObject({
        status: 'failed',
      });
      const room = await stored(aPayment({ status: 'succeeded', ...textual(340 * KB) }));
      expect(await room.payments.change(room.payment, withRefund)).toMatchObject({ refunds: { length: 1 } });
    });

    it('of Chinese text is as long as in the store', async () => {
      const { payments, payment } = await stored(aPayment({ status: 'succeeded', description: '漢'.repeat(97 * KB) }));
      expect(await payments.change(payment, withRefund)).toMatchObject({ refunds: { length: 1 } });
    });
  });

  describe('a payment with a full item', () => {
    it('stores its create response in another item', async () => {
      const claim = { request: 'r', lease_until: START.toISOString(), answered: true };
      const filled = (bytes: number) =>
        aPayment({ status: 'succeeded', claim, outbox: [], description: 'x'.repeat(bytes) });
      const { payments, payment, table } = await stored(
        filled(MAX_RECORD_BYTES - itemSize(paymentEntity.toItem(filled(0), START))),
      );
      expect(itemSize(paymentEntity.toItem(payment, START))).toBe(MAX_RECORD_BYTES);
      await payments.change(payment, (p) => ({ ...p, description: 'short' }));
      const kept = await table.get(keys.createResponse(payment.id));
      expect(kept?.answer).toMatchObject({ description: payment.description });
    });
  });

  describe('a payment link with many undelivered events', () => {
    it('accepts no new customer, charges nothing, and counts those who paid', async () => {
      const { paymentLinks: links } = memoryStore();
      const made = await links.create(aPaymentLink({ max_payments: 9 }));
      expect(await links.reserve(made, paymentId(1), START)).toBe('held');
      const full = await links.change((await links.byId(made.id))!, (l) => ({ ...l, ...waiting(300) }));
      await expect(links.reserve(full, paymentId(2), START)).rejects.toMatchObject({ code: 'events_waiting' });
      expect(await links.byId(made.id)).toEqual(full);
      expect(await links.reserve(full, paymentId(1), START)).toBe('again');
      expect(await links.change(full, (l) => countPayment(l, paymentId(1), later(1)))).toMatchObject({
        payments_made: 1,
      });
    });
  });
}
