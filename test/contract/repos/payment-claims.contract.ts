import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { reserveRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import { DAY, HOUR, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type IdempotencyRequest, type Operation, operationId } from '#shared/kernel/operation.ts';
import type { PaymentClaim } from '#shared/ports/payments.port.ts';
import { keys } from '#shared/store/keys.ts';
import { aTicket, losingResponses, memoryStore, times } from '#test/support/memory-store.ts';
import { aPayment, says } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const LEASE = 35_000;

type Store = ReturnType<typeof memoryStore>;

/** The payment that a create request makes, while its PSP is called. */
const planFor =
  (idempotencyRequest: IdempotencyRequest, about: Partial<Payment> = {}) =>
  async (operation: Operation): Promise<Payment> =>
    aPayment({
      id: operationId(operation, 'payment'),
      org_id: idempotencyRequest.orgId,
      created_at: operation.at.toISOString(),
      claim: {
        request: idempotencyRequest.request,
        lease_until: plus(operation.at, LEASE).toISOString(),
        answered: false,
      },
      ...about,
    });

const ask = ({ payments, clock }: Store, about: Partial<IdempotencyRequest> = {}, payment: Partial<Payment> = {}) =>
  payments.claim(aTicket(about), clock.now(), planFor(aTicket(about), payment));

const paymentOf = (claim: PaymentClaim): Payment =>
  'payment' in claim ? claim.payment : expect.fail(`The claim is ${claim.state}.`);

const pay = ({ payments, clock }: Store, payment: Payment) =>
  payments.change(payment, (p) => settle(p, 'att_1', says.succeeded(), clock.now()));

async function refund({ payments, clock }: Store, payment: Payment): Promise<Payment> {
  const reserved = await payments.change(payment, (p) => reserveRefund(p, { id: 're_1' }, clock.now()));
  return payments.change(reserved, (p) =>
    settleRefund(p, 're_1', { kind: 'succeeded', reference: 'rf_1' }, clock.now()),
  );
}

/** The payment as a client sees it. */
const seen = ({ id, status, amount_refunded, refunds, attempts, psp_reference, failure, updated_at }: Payment) => ({
  id,
  status,
  amount_refunded,
  refunds,
  attempts,
  psp_reference,
  failure,
  updated_at,
});

export function paymentClaims(): void {
  describe('the claim of a payment', () => {
    it('creates the payment once', async () => {
      const store = memoryStore();
      const first = await ask(store);
      expect(first).toMatchObject({ state: 'new', operation: { at: START, resumed: false } });
      expect(await store.payments.byId(paymentOf(first).id)).toEqual(paymentOf(first));
    });

    it.each([
      [0, 35],
      [10_000, 25],
      [10_001, 25],
      [34_001, 1],
      [34_999, 1],
    ])('is still held after %i ms, for %i s more', async (ms, retryAfter) => {
      const store = memoryStore();
      await ask(store);
      store.clock.pass(ms);
      expect(await ask(store)).toEqual({ state: 'running', retryAfter });
    });

    describe('if its payment is refused', () => {
      const REFUSED = new AppError('plan_limit_reached', 'No more.');
      const tryAgain = ({ payments, clock }: Store, about: Partial<IdempotencyRequest> = {}) =>
        payments.claim(aTicket(about), clock.now(), async () => {
          throw REFUSED;
        });

      it('is not created, and leaves the key free', async () => {
        const store = memoryStore();
        await expect(tryAgain(store)).rejects.toBe(REFUSED);
        expect(await store.payments.byIdempotencyKey(aTicket())).toBeUndefined();
        expect(await ask(store)).toMatchObject({ state: 'new' });
      });

      it('still finds the earlier request: running, completed, interrupted or different', async () => {
        const store = memoryStore();
        const first = paymentOf(await ask(store));
        expect(await tryAgain(store)).toEqual({ state: 'running', retryAfter: 35 });
        expect(await tryAgain(store, { request: 'another' })).toEqual({ state: 'reused' });
        store.clock.pass(LEASE);
        expect(await tryAgain(store)).toMatchObject({ state: 'taken_over', payment: { id: first.id } });
        const paid = await pay(store, (await store.payments.byId(first.id)) ?? first);
        expect(await tryAgain(store)).toEqual({ state: 'completed', payment: paid });
      });

      it('is refused after the key’s 24 hours, without a change of the earlier payment', async () => {
        const store = memoryStore();
        const first = paymentOf(await ask(store));
        store.clock.pass(DAY);
        await expect(tryAgain(store)).rejects.toBe(REFUSED);
        expect(await store.payments.byId(first.id)).toEqual(first);
        const second = paymentOf(await ask(store));
        expect(await tryAgain(store)).toMatchObject({ state: 'running' });
        store.clock.pass(DAY);
        await expect(tryAgain(store)).rejects.toBe(REFUSED);
        expect(await store.payments.byId(second.id)).toEqual(second);
      });

      it('fails as usual if another error than a refusal stops it', async () => {
        const store = memoryStore();
        await ask(store);
        const broken = store.payments.claim(aTicket(), store.clock.now(), () => Promise.reject(new Error('No vault.')));
        await expect(broken).rejects.toThrow('No vault.');
      });
    });

    it('is taken over after its lease, with the same payment and ids', async () => {
      const store = memoryStore();
      const first = await ask(store);
      store.clock.pass(LEASE);
      const second = await ask(store);
      expect(second).toMatchObject({
        state: 'taken_over',
        payment: { id: paymentOf(first).id, version: 2 },
        operation: { at: START, resumed: true },
      });
      expect(second).toMatchObject({ operation: { seed: 'operation' in first && first.operation.seed } });
    });

    it('has a new lease once it is taken over', async () => {
      const store = memoryStore();
      await ask(store);
      store.clock.pass(LEASE);
      await ask(store);
      expect(await ask(store)).toEqual({ state: 'running', retryAfter: 35 });
      store.clock.pass(LEASE);
      expect((await ask(store)).state).toBe('taken_over');
    });

    it('is taken over by one of many requests', async () => {
      const store = memoryStore();
      await ask(store);
      store.clock.pass(LEASE);
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual([...Array(19).fill('running'), 'taken_over']);
    });

    it('is created by one of many requests, with a single payment', async () => {
      const store = memoryStore();
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual(['new', ...Array(19).fill('running')]);
      expect((await store.payments.list(aTicket().orgId, ['conn_a'], { limit: 10, offset: 0 })).items).toHaveLength(1);
    });

    it.each(['org', 'class', 'key'] as const)('of another %s is another payment', async (what) => {
      const store = memoryStore();
      const others = { org: { orgId: 'org_2' }, class: { class: 'public' }, key: { key: 'key-2' } } as const;
      const other: Partial<IdempotencyRequest> = others[what];
      const [one, two] = [await ask(store), await ask(store, other)];
      expect([one.state, two.state]).toEqual(['new', 'new']);
      expect(paymentOf(one).id).not.toBe(paymentOf(two).id);
    });

    it('recognizes its own write after a lost response', async () => {
      const store = memoryStore({ through: losingResponses(1) });
      expect((await ask(store)).state).toBe('new');
      expect(await ask(store)).toMatchObject({ state: 'running' });
    });

    it.each<[string, (store: Store, payment: Payment) => Promise<unknown>]>([
      ['while the first runs', async () => undefined],
      ['after its lease', async (store) => store.clock.pass(LEASE)],
      ['after its response', pay],
    ])('refuses another request with its key %s', async (_, prepare) => {
      const store = memoryStore();
      await prepare(store, paymentOf(await ask(store)));
      expect(await ask(store, { request: 'POST /v1/payments {"amount":1}' })).toEqual({ state: 'reused' });
    });
  });

  describe('the create response of a payment', () => {
    it('is the payment as it was when its outcome was written', async () => {
      const store = memoryStore();
      const answer = await pay(store, paymentOf(await ask(store)));
      const again = await ask(store);
      expect(again.state).toBe('completed');
      expect(await store.payments.createResponse(paymentOf(again))).toEqual(answer);
    });

    it.each<[string, (store: Store, payment: Payment) => Promise<unknown>]>([
      ['a refund', refund],
      ['its events were published', (store, payment) => store.payments.change(payment, (p) => ({ ...p, outbox: [] }))],
      [
        'its events were published, and a refund',
        async (store, payment) => refund(store, await store.payments.change(payment, (p) => ({ ...p, outbox: [] }))),
      ],
      [
        'a second change after a refund',
        async (store, payment) =>
          store.payments.change(await refund(store, payment), (p) => ({ ...p, late_success: true })),
      ],
      [
        'five changes at once',
        (store, payment) =>
          times(5, (n) => store.payments.change(payment, (p) => ({ ...p, metadata: { ...p.metadata, [`n${n}`]: n } }))),
      ],
    ])('is the original one after %s', async (_, change) => {
      const store = memoryStore();
      const answer = await pay(store, paymentOf(await ask(store)));
      store.clock.pass(HOUR);
      await change(store, answer);
      const again = await ask(store);
      expect(again.state).toBe('completed');
      const replayed = await store.payments.createResponse(paymentOf(again));
      expect({ ...seen(replayed), metadata: replayed.metadata }).toEqual({ ...seen(answer), metadata: {} });
    });

    it('of an intent is the payment as it was created', async () => {
      const store = memoryStore();
      const claim = { request: aTicket().request, lease_until: START.toISOString(), answered: true };
      const intent = paymentOf(await ask(store, {}, { status: 'created', attempts: [], claim }));
      await store.payments.change(intent, (p) => ({ ...p, status: 'canceled' }));
      expect(await store.payments.createResponse(paymentOf(await ask(store)))).toMatchObject({ status: 'created' });
    });

    it('contains no events and no payment method', async () => {
      const store = memoryStore();
      const answer = await store.payments.change(await pay(store, paymentOf(await ask(store))), (p) => ({
        ...p,
        sealed_method: 'sealed',
      }));
      await refund(store, answer);
      const kept = await store.table.get(keys.createResponse(answer.id));
      expect(kept?.answer).not.toHaveProperty('outbox');
      expect(JSON.stringify(kept)).not.toContain('sealed');
    });

    it.each<Partial<Payment>>([{ outbox: [] }, { ended_review: 'op_1' }])(
      'is not stored separately while no public field has changed: %j',
      async (inner) => {
        const store = memoryStore();
        const answer = await pay(store, paymentOf(await ask(store)));
        await store.payments.change(answer, (p) => ({ ...p, ...inner }));
        expect(await store.table.get(keys.createResponse(answer.id))).toBeUndefined();
      },
    );

    it.each([
      ['is stored for 24 hours', DAY - 1, true],
      ['is not stored after 24 hours', DAY, false],
    ])('%s', async (_, ms, kept) => {
      const store = memoryStore();
      const answer = await pay(store, paymentOf(await ask(store)));
      store.clock.pass(ms);
      await refund(store, answer);
      expect((await store.table.get(keys.createResponse(answer.id))) !== undefined).toBe(kept);
    });
  });

  describe('a payment’s idempotency key after 24 hours', () => {
    async function aDayOld() {
      const store = memoryStore();
      const first = await pay(store, paymentOf(await ask(store)));
      store.clock.pass(DAY);
      return { store, first };
    }

    it('is still claimed a millisecond before', async () => {
      const store = memoryStore();
      const first = await pay(store, paymentOf(await ask(store)));
      store.clock.pass(DAY - 1);
      expect(await ask(store)).toMatchObject({ state: 'completed', payment: { id: first.id } });
    });

    it('creates another payment, also for another request', async () => {
      const { store, first } = await aDayOld();
      const second = await ask(store, { request: 'something else' });
      expect(second.state).toBe('new');
      expect(paymentOf(second).id).not.toBe(first.id);
    });

    it('belongs to its second payment as it did to its first', async () => {
      const { store } = await aDayOld();
      const second = paymentOf(await ask(store));
      expect((await ask(store)).state).toBe('running');
      expect((await ask(store, { request: 'something else' })).state).toBe('reused');
      const answer = await pay(store, second);
      await refund(store, answer);
      const again = await ask(store);
      expect(again.state).toBe('completed');
      expect(seen(await store.payments.createResponse(paymentOf(again)))).toEqual(seen(answer));
    });

    it('lets its second payment be taken over after the lease', async () => {
      const { store } = await aDayOld();
      const second = paymentOf(await ask(store));
      store.clock.pass(LEASE);
      expect(await ask(store)).toMatchObject({ state: 'taken_over', payment: { id: second.id } });
    });

    it('creates a different payment each day', async () => {
      const { store, first } = await aDayOld();
      const ids = [first.id];
      for (let day = 0; day < 4; day += 1) {
        const next = await ask(store);
        expect(next.state).toBe('new');
        ids.push(paymentOf(next).id);
        store.clock.pass(DAY);
      }
      expect(new Set(ids).size).toBe(5);
    });

    it('creates one payment for many concurrent requests', async () => {
      const { store } = await aDayOld();
      await ask(store);
      store.clock.pass(DAY);
      const states = (await times(20, () => ask(store))).map((claim) => claim.state).sort();
      expect(states).toEqual(['new', ...Array(19).fill('running')]);
    });

    it('belongs to its second payment also by a slow clock', async () => {
      const { store } = await aDayOld();
      await ask(store);
      expect(await store.payments.claim(aTicket(), later(DAY - 1), planFor(aTicket()))).toMatchObject({
        state: 'running',
      });
    });

    it('leaves its first payment unchanged and changeable', async () => {
      const { store, first } = await aDayOld();
      await ask(store);
      const refunded = await refund(store, first);
      expect(refunded).toMatchObject({ id: first.id, status: 'refunded' });
      expect((await ask(store)).state).toBe('running');
    });
  });
}
