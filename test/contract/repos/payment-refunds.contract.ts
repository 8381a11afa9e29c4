import { describe, expect, it } from 'vitest';
import { withoutEvents } from '#shared/domain/payments/outbox.rules.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { reserveRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { refundDecline } from '#shared/domain/payments/refund-failures.catalog.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { itemSize } from '#shared/store/table/item.rules.ts';
import type { Item } from '#shared/store/table/table.port.ts';
import { memoryStore } from '#test/support/memory-store.ts';
import { aPayment, ORG } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const MANY = 1_300;
const id = (n: number) => `re_${String(n).padStart(26, '0')}`;
const metadata = { order: 'x'.repeat(40) };
const reserve = (payment: Payment, n: number, more = {}) =>
  reserveRefund(payment, { id: id(n), amount: 1, ...more }, START);
const made = (payment: Payment, n: number) =>
  settleRefund(payment, id(n), { kind: 'succeeded', reference: `rf_${n}` }, later(n))!;
const relayed = (payment: Payment) => withoutEvents(payment, payment.outbox) ?? payment;

async function stored(refunds: number, more = {}) {
  const store = memoryStore();
  const { payments, table } = store;
  await table.put(paymentEntity.toItem(aPayment({ status: 'succeeded', amount: 10_000 }), START));
  let payment = (await payments.byId(aPayment().id))!;
  for (let n = 0; n < refunds; n += 1)
    payment = await payments.change(payment, (p) => relayed(made(reserve(p, n, more), n)));
  const items = async () =>
    (await table.query({ pk: paymentEntity.key(payment.id).pk, limit: 1_000, consistent: true })).items;
  return { ...store, payment, items };
}

const ids = ({ refunds }: Payment) => refunds.map((refund) => refund.id);
const expected = (count: number) => Array.from({ length: count }, (_, n) => id(n));

export function paymentRefunds(): void {
  describe('a payment with many refunds', () => {
    it('keeps them all, in their order, in items of at most 100 KB', async () => {
      const { payments, payment, items } = await stored(MANY, { metadata });
      expect([payment.amount_refunded, ids(payment)]).toEqual([MANY, expected(MANY)]);
      expect(await payments.get(ORG, payment.id)).toEqual(payment);
      const all = await items();
      expect(all.length).toBeGreaterThan(3);
      expect(Math.max(...all.map(itemSize))).toBeLessThan(100_000);
      expect((await payments.list(ORG, [payment.connection_id!], { limit: 10, offset: 0 })).items).toEqual([payment]);
    }, 120_000);

    it('has room for another one where each carries as much metadata as a request may', async () => {
      const large = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key_${n}`, 'x'.repeat(500)]));
      const { payments, payment } = await stored(40, { metadata: large });
      const again = await payments.change(payment, (p) => reserve(p, 40));
      expect(ids(again)).toEqual(expected(41));
    });

    it('changes one that lies beside it, and leaves nothing behind that does not expire', async () => {
      const { payments, payment, items } = await stored(500);
      const lasting = async () => (await items()).filter(({ ttl }) => ttl === undefined).length;
      const before = await lasting();
      const decline = refundDecline('refund_declined');
      const failed = await payments.change(payment, (p) =>
        settleRefund(p, id(3), { kind: 'failed', reference: null, decline }, later(9)),
      );
      expect([failed.amount_refunded, failed.refunds[3]?.status, ids(failed)]).toEqual([499, 'failed', expected(500)]);
      expect(await payments.byId(payment.id)).toEqual(failed);
      expect(await lasting()).toBeLessThanOrEqual(before + 1);
    });

    it('is read while another worker replaces what lies beside it', async () => {
      const { payments, payment } = await stored(400);
      const turns = Array.from({ length: 20 }, (_, n) =>
        payments.change(payment, (p) => {
          const refunds = p.refunds.map((r) => (r.id === id(n) ? { ...r, reason: 'changed' } : r));
          return { ...p, refunds };
        }),
      );
      const reads = Array.from({ length: 20 }, async () => ids((await payments.byId(payment.id))!).length);
      expect(await Promise.all(reads)).toEqual(reads.map(() => 400));
      await Promise.all(turns);
      const { refunds } = (await payments.byId(payment.id))!;
      expect(refunds.filter(({ reason }) => reason === 'changed')).toHaveLength(20);
    });

    it('takes sixty at once', async () => {
      const { payments, payment } = await stored(243);
      const all = Array.from({ length: 60 }, async (_, n) => {
        const reserved = await payments.change(payment, (p) => reserve(p, 243 + n));
        return payments.change(reserved, (p) => made(p, 243 + n));
      });
      await Promise.all(all);
      const after = (await payments.byId(payment.id))!;
      expect([after.amount_refunded, new Set(ids(after)).size]).toEqual([303, 303]);
    });

    it('has all of them where the change feed shows its item alone', async () => {
      const { payments, payment, table } = await stored(400);
      const item = (await table.get(paymentEntity.key(payment.id)))!;
      const shown = paymentEntity.fromItem(item);
      expect(shown.refunds.length).toBeLessThan(400);
      expect(await payments.withAllRefunds(shown)).toEqual(payment);
      const tagged = await payments.change(shown, (p) => ({ ...p, description: `${p.refunds.length}` }));
      expect([tagged.description, ids(tagged).length]).toEqual(['400', 400]);
    });

    it('is due for the ones that have not ended, wherever they lie', async () => {
      const { payments, payment } = await stored(200);
      const open = await payments.change(payment, (p) => reserve(p, 200));
      expect(open.due_at).toBeDefined();
      let many = open;
      for (let n = 201; n < 700; n += 1) many = await payments.change(many, (p) => reserve(p, n));
      expect([many.due_at, ids(many)]).toEqual([open.due_at, expected(700)]);
      expect(await payments.byId(payment.id)).toEqual(many);
    }, 60_000);

    it('was written by an earlier release with all of them in its item', async () => {
      const { payments, payment, table } = await stored(100);
      const { refund_pages: _, refunds_loaded: __, ...old } = payment;
      await table.put({ ...(paymentEntity.toItem({ ...old, version: 900 }, START) as Item) });
      const read = (await payments.byId(payment.id))!;
      expect(ids(read)).toEqual(expected(100));
      expect(ids(await payments.change(read, (p) => made(reserve(p, 100), 100)))).toEqual(expected(101));
      expect(ids((await payments.byId(payment.id))!)).toEqual(expected(101));
    });
  });
}
