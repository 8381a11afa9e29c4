import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import { startAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { reserveRefund } from '#shared/domain/payments/refund.machine.ts';
import { closeReview } from '#shared/domain/payments/review.machine.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { randomBits } from '#shared/kernel/ids.ts';
import { keys } from '#shared/store/keys.ts';
import { indexFaults } from '#shared/store/locate-item.ts';
import { paymentEntity } from '#shared/store/repos/payments/payment.entity.ts';
import { losingResponses, memoryStore, times } from '#test/support/memory-store.ts';
import { anAttempt, aPayment, ORG, paymentId, says } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

async function stored(about: Partial<Payment> = {}, options = {}) {
  const store = memoryStore(options);
  const payment = aPayment(about);
  await store.table.put(paymentEntity.toItem(payment, START));
  return { ...store, payment: paymentEntity.fromItem(paymentEntity.toItem(payment, START)) };
}

export function paymentChanges(): void {
  describe('a change of a payment', () => {
    it('is written with the next version', async () => {
      const { payments, payment } = await stored();
      const changed = await payments.change(payment, (p) => ({ ...p, description: 'new' }));
      expect(changed).toMatchObject({ description: 'new', version: 2 });
      expect(await payments.byId(payment.id)).toEqual(changed);
    });

    it('writes nothing if nothing changes', async () => {
      const { payments, payment } = await stored();
      expect(await payments.change(payment, () => undefined)).toEqual(payment);
      expect(await payments.byId(payment.id)).toMatchObject({ version: 1 });
    });

    it('decides again on the newer payment after a conflict', async () => {
      const { payments, payment } = await stored();
      await payments.change(payment, (p) => ({ ...p, amount_refunded: 10 }));
      const changed = await payments.change(payment, (p) => ({ ...p, amount_refunded: p.amount_refunded + 1 }));
      expect(changed).toMatchObject({ amount_refunded: 11, version: 3 });
    });

    it('succeeds for each of fifty concurrent writers', async () => {
      const { payments, payment } = await stored();
      const changed = await times(50, () =>
        payments.change(payment, (p) => ({ ...p, amount_refunded: p.amount_refunded + 1 })),
      );
      expect(changed.map((p) => p.version).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, n) => n + 2));
      expect(await payments.byId(payment.id)).toMatchObject({ amount_refunded: 50, version: 51 });
    });

    it('never reserves more refunds than the amount, however many are requested at once', async () => {
      const { payments, payment } = await stored({ status: 'succeeded' });
      const asked = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          payments.change(payment, (p) => reserveRefund(p, { id: `re_${n}`, amount: 1_000 }, START)),
        ),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect((await payments.byId(payment.id))?.refunds).toHaveLength(5);
    });

    it('leaves the payment unchanged if it is refused', async () => {
      const { payments, payment } = await stored();
      await expect(payments.change(payment, (p) => reserveRefund(p, { id: 're_1' }, START))).rejects.toMatchObject({
        code: 'payment_not_refundable',
      });
      expect(await payments.byId(payment.id)).toEqual(payment);
    });

    it('fails for a payment that does not exist', async () => {
      const { payments } = memoryStore();
      await expect(payments.change(aPayment(), (p) => p)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('is written once if its response was lost, and reported as written', async () => {
      const { payments, payment } = await stored({}, { through: losingResponses(1) });
      const changed = await payments.change(payment, (p) => ({ ...p, amount_refunded: p.amount_refunded + 1 }));
      expect(changed).toMatchObject({ amount_refunded: 1, version: 2 });
      expect(await payments.byId(payment.id)).toEqual(changed);
    });

    it('returns no attributes of the store', async () => {
      const { payments, payment } = await stored();
      const changed = await payments.change(payment, (p) => ({ ...p, description: 'new' }));
      for (const name of ['pk', 'sk', 'nonce', 'item_type', 'list_pk', 'due_sk'])
        expect(changed).not.toHaveProperty(name);
    });
  });

  describe('finding a payment', () => {
    it('works by its organization and id', async () => {
      const { payments, payment } = await stored();
      expect(await payments.get(ORG, payment.id)).toEqual(payment);
    });

    it('works for no other organization', async () => {
      const { payments, payment } = await stored();
      expect(await payments.get('org_other', payment.id)).toBeUndefined();
    });

    it.each([
      ['an id of another kind', paymentId(1).replace('pay_', 'evt_')],
      ['an invalid id', 'pay_1'],
      ['an empty id', ''],
      ['an id that is too large', `pay_8${paymentId(1).slice(5)}`],
      ['an id of a missing payment', paymentId(2)],
    ])('does not work by %s', async (_, id) => {
      const { payments } = await stored();
      expect(await payments.byId(id)).toBeUndefined();
    });

    it('does not work by an id that differs only in its time', async () => {
      const { payments, payment } = await stored();
      const other = `${payment.id.slice(0, 8)}${payment.id[8] === '0' ? '1' : '0'}${payment.id.slice(9)}`;
      expect(randomBits(other)).toBe(randomBits(payment.id));
      expect(await payments.byId(other)).toBeUndefined();
    });

    it('works by its PSP reference and provider', async () => {
      const { payments, payment } = await stored({ status: 'succeeded' });
      expect(await payments.byReference('stripe', 'ref of att_1')).toEqual(payment);
      expect(await payments.byReference('adyen', 'ref of att_1')).toBeUndefined();
    });

    it('works by the PSP reference of its current attempt', async () => {
      const { payments, payment } = await stored({ attempts: [anAttempt({ phase: 'accepted' })] });
      await payments.change(payment, (p) => settle(p, 'att_1', says.succeeded({ reference: 'ch_9' }), START));
      expect((await payments.byReference('stripe', 'ch_9'))?.id).toBe(payment.id);
      expect(await payments.byReference('stripe', 'ref of att_1')).toBeUndefined();
    });

    it('works by the PSP reference of a charge that is refunded, even after a retry', async () => {
      const wrong = anAttempt({ status: 'failed', phase: 'accepted', wrong_amount: { amount: 700, currency: 'USD' } });
      const review = { reason: 'amount_mismatch', at: START.toISOString(), attempt_id: wrong.id } as const;
      const { payments, payment } = await stored({ status: 'failed', attempts: [wrong], review });
      const ended = await payments.change(payment, (p) => closeReview(p, 're_op', START));
      const seed = { id: 'att_2', connection_id: 'conn_b', provider: 'adyen', alternatives: [] } as const;
      await payments.change(ended, (p) => startAttempt(p, seed, 'retry', START));
      expect((await payments.byReference('stripe', 'ref of att_1'))?.attempts).toHaveLength(2);
    });

    it('works by the PSP reference of each capture, which later events may name instead of the charge', async () => {
      const { payments, payment, table, clock } = await stored({ capture: 'manual', captures: [] });
      const capture = {
        amount: 500,
        status: 'succeeded',
        failure: null,
        final: false,
        attempt_id: 'att_1',
        created_at: START.toISOString(),
        phase: 'final',
      } as const;
      const captures = [
        { ...capture, id: 'cap_1', psp_reference: 'CAPTURE1' },
        { ...capture, id: 'cap_2', psp_reference: null, status: 'pending', phase: 'calling' },
      ] as const;
      const captured = await payments.change(payment, (p) => ({ ...p, captures }));
      const known = captures.map((each) => ({ ...each, psp_reference: each.psp_reference ?? 'CAPTURE2' }));
      await payments.change(captured, (p) => ({ ...p, captures: known }));
      for (const reference of ['CAPTURE1', 'CAPTURE2'])
        expect((await payments.byReference('stripe', reference))?.captures).toHaveLength(2);
      expect(await indexFaults(table, payment.id, clock.now())).toEqual([]);
      await table.delete(keys.secondaryCharge(payment.id, 'cap_2'));
      expect(await indexFaults(table, payment.id, clock.now())).toEqual([
        { index: 'lookup', stored: null, expected: `stripe#CAPTURE2 ${payment.id}` },
      ]);
    });

    it('needs no extra item if no charge of it is refunded', async () => {
      const { payments, payment, table } = await stored();
      await payments.change(payment, (p) => settle(p, 'att_1', says.succeeded({ reference: 'ch_9' }), START));
      expect(await table.get(keys.secondaryCharge(payment.id, 'att_1'))).toBeUndefined();
    });
  });

  describe('the due entry of a payment', () => {
    const dueNow = async ({ due, clock }: ReturnType<typeof memoryStore>) =>
      (await Promise.all(due.shards.map((shard) => due.due(shard, clock.now(), 10)))).flat();

    it('is due with the first of its tasks, and not before', async () => {
      const store = await stored();
      store.clock.pass(MINUTE - 1);
      expect(await dueNow(store)).toEqual([]);
      store.clock.pass(1);
      expect(await dueNow(store)).toMatchObject([
        { kind: 'payment', id: store.payment.id, at: later(MINUTE).toISOString() },
      ]);
    });

    it('is removed once the outcome is known and published', async () => {
      const store = await stored();
      const paid = await store.payments.change(store.payment, (p) => settle(p, 'att_1', says.succeeded(), START));
      await store.payments.change(paid, (p) => ({ ...p, outbox: [] }));
      store.clock.pass(60 * MINUTE);
      expect(await dueNow(store)).toEqual([]);
    });

    it('is due with its next task once the last one is over', async () => {
      const store = await stored();
      store.clock.pass(2 * MINUTE);
      await store.payments.change(store.payment, (p) => ({
        ...p,
        attempts: [anAttempt({ phase: 'unknown', asks: 1 })],
      }));
      expect(await store.due.earliest()).toBe(later(6 * MINUTE).toISOString());
    });

    it('stays at an earlier time that is still ahead', async () => {
      const store = await stored();
      await store.payments.change(store.payment, (p) => ({
        ...p,
        attempts: [anAttempt({ phase: 'unknown', asks: 1 })],
      }));
      expect(await store.due.earliest()).toBe(later(MINUTE).toISOString());
    });
  });
}
