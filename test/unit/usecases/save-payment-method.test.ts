import { describe, expect, it } from 'vitest';
import { confirmPayment } from '#functions/payments/confirm-payment.usecase.ts';
import { createPayment, createPaymentIntent } from '#functions/payments/create-payment.usecase.ts';
import { MAX_TOKEN_SET_BYTES, type PaymentMethod } from '#shared/domain/payment-methods/payment-method.model.ts';
import { savedMethodId, withoutMethod } from '#shared/domain/payment-methods/payment-method.rules.ts';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import type { NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { CreatePaymentInput, PaymentToken } from '#shared/domain/payments/payment-input.model.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { keepSavedMethod } from '#shared/services/payment-methods/keep-saved-method.service.ts';
import { openTokens } from '#shared/services/payment-methods/method-tokens.service.ts';
import { readSavedMethod } from '#shared/services/payment-methods/use-saved-method.service.ts';
import { settlePayment } from '#shared/services/payments/settle-payment.service.ts';
import { aConnection, ORG } from '#test/support/payment.builder.ts';
import { charges, type World, world } from '#test/support/world.ts';

const CARD: NetworkReport = {
  network_transaction_id: 'chain1',
  card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
};

type Options = NonNullable<Parameters<typeof world>[0]>;
type ChargeResult = ReturnType<typeof charges.approved>;

/** A provider that keeps the card, as it was asked to or not. */
const keeping =
  (saved: PaymentToken, network: NetworkReport = CARD): ChargeResult =>
  (order) => ({ ...charges.approved()(order), network, saved });

const shopWith = (results: Options['charges'], more: Options = {}) => world({ ...more, charges: results ?? {} });
const ON_PAGE = { type: 'card', token: 'tok_1' } as const;
const input = (about: Partial<CreatePaymentInput> = {}): CreatePaymentInput => ({
  amount: 5_000,
  currency: 'EUR',
  customer_id: 'kim',
  payment_method: ON_PAGE,
  save: true,
  ...about,
});
const create = (w: World, about: Partial<CreatePaymentInput> = {}) => createPayment(input(about), w.caller(), w.deps);

async function methodsOf({ deps }: World, customer = 'kim'): Promise<readonly PaymentMethod[]> {
  const methods = await deps.paymentMethods();
  return methods.many(ORG, (await methods.customer(ORG, customer)).method_ids);
}
const tokensOf = async (w: World, method: PaymentMethod | undefined) => method && openTokens(method, w.deps);

describe('a payment with `save`', () => {
  it('makes a saved method of what the provider has kept, with what the network says of the card', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const { id, payment_method_id } = await create(w);
    const [method, ...others] = await methodsOf(w);
    expect(others).toEqual([]);
    expect(method).toMatchObject({ id: payment_method_id, type: 'card', providers: ['stripe'], ...CARD });
    expect(await tokensOf(w, method)).toEqual([{ provider: 'stripe', connection_id: 'conn_a', token: 'pm_kept' }]);
    expect([(await w.stored(id)).payment_method_id, JSON.stringify(await w.stored(id))]).toEqual([
      payment_method_id,
      expect.not.stringContaining('pm_kept'),
    ]);
    expect(JSON.stringify(method)).not.toContain('pm_kept');
  });

  it('tells the provider the same opaque customer each time, and no two customers alike', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    for (const customer_id of ['kim', 'kim', 'sam']) await create(w, { customer_id });
    const [first, second, third] = w.charged.map(({ order }) => order.save?.customer);
    expect([first, third]).toEqual([
      expect.stringMatching(/^cus_[0-9a-f]{32}$/),
      expect.not.stringMatching(`${first}`),
    ]);
    expect(second).toBe(first);
  });

  it('finds the method that the same card has made before', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const [first, second] = [await create(w), await create(w)];
    expect(second.payment_method_id).toBe(first.payment_method_id);
    expect(await methodsOf(w)).toHaveLength(1);
  });

  it('makes one method of a card that 20 payments save at once', async () => {
    const w = await shopWith({ conn_a: Array.from({ length: 20 }, () => keeping('pm_kept')) });
    const made = await Promise.all(Array.from({ length: 20 }, () => create(w)));
    const [method, ...others] = await methodsOf(w);
    expect([new Set(made.map((payment) => payment.payment_method_id)), others]).toEqual([new Set([method?.id]), []]);
  });

  it('names the method that it has kept, if a report that tells no token has settled it meanwhile', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const { id } = await create(w, { save: false });
    const settled = await w.stored(id);
    const stale = { ...settled, save: true, version: settled.version - 1 } as const;
    await w.deps.payments.change(settled, (p) => ({ ...p, save: true }));
    const again = await settlePayment(stale, (p) => (p === stale ? stale : undefined), w.deps, 'pm_kept');
    expect([again.status, again.payment_method_id]).toEqual(['succeeded', savedMethodId(id)]);
    expect((await w.stored(id)).payment_method_id).toBe(savedMethodId(id));
  });

  it('does not bring back a method that was deleted, if its provider tells the token again', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const { id, payment_method_id } = await create(w);
    const methods = await w.deps.paymentMethods();
    const [before, method] = [await methods.customer(ORG, 'kim'), (await methodsOf(w))[0]];
    if (!method) throw new Error('The payment has kept it.');
    const after = { ...before, method_ids: [], default_id: null };
    await methods.commit({ before, after }, [{ before: method }]);
    const payment = await w.stored(id);
    expect(await keepSavedMethod(payment, payment, 'pm_kept', w.deps)).toBe(payment_method_id);
    expect(await methodsOf(w)).toEqual([]);
  });

  it('learns the card and its chain from a payment with a token that the method has already', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept', {}), keeping('pm_kept')] });
    const { payment_method_id: id = '' } = await create(w);
    expect(await methodsOf(w)).toMatchObject([{ id, card: null, network_transaction_id: null }]);
    await create(w, { payment_method: { type: 'saved', id } });
    expect(await methodsOf(w)).toMatchObject([{ id, ...CARD }]);
  });

  it('gives a saved method a further token, at the provider that has handed it out', async () => {
    const connections = [aConnection({ id: 'conn_a' }), aConnection({ id: 'conn_b' })];
    const results = { conn_a: [keeping('pm_a'), charges.unreachable()], conn_b: [keeping('pm_b'), charges.approved()] };
    const w = await shopWith(results, { connections });
    const { payment_method_id: id = '' } = await create(w);
    // The same card, typed again: its tokens of another account.
    const again = await create(w, { payment_method: { type: 'saved', id, tokens: { stripe: 'tok_2' } } });
    expect([again.connection_id, again.payment_method_id]).toEqual(['conn_b', id]);
    const [method] = await methodsOf(w);
    expect(await tokensOf(w, method)).toEqual([
      { provider: 'stripe', connection_id: 'conn_a', token: 'pm_a' },
      { provider: 'stripe', connection_id: 'conn_b', token: 'pm_b' },
    ]);
    // Each account is charged with its own.
    await create(w, { save: false, payment_method: { type: 'saved', id } });
    expect(w.charged.slice(-2).map(({ connection, order }) => [connection, order.paymentMethod.token])).toEqual([
      ['conn_a', 'pm_a'],
      ['conn_b', 'pm_b'],
    ]);
  });

  it('sends a token to no other account than that which has handed it out', async () => {
    const connections = [aConnection({ id: 'conn_a' }), aConnection({ id: 'conn_b' })];
    const w = await shopWith({ conn_a: [keeping('pm_a'), charges.unreachable()] }, { connections });
    const { payment_method_id: id = '' } = await create(w);
    const failed = await create(w, { save: false, payment_method: { type: 'saved', id } });
    expect([failed.status, failed.attempts.map(({ connection_id }) => connection_id)]).toEqual(['failed', ['conn_a']]);
  });

  it('tries the other accounts of its provider only once the connection of its token is deleted', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const { payment_method_id: id = '' } = await create(w);
    const named = { type: 'saved', id };
    const tokensWith = async (...ids: readonly string[]) => {
      const owner = { orgId: ORG, connections: ids.map((each) => ({ id: each })) };
      const { tokens, bound } = (await readSavedMethod({}, named, owner, w.deps)).payment_method;
      return { tokens, bound };
    };
    const bound = [{ provider: 'stripe', connection_id: 'conn_a', token: 'pm_kept' }];
    expect(await tokensWith('conn_a', 'conn_b')).toEqual({ tokens: {}, bound });
    expect(await tokensWith('conn_b')).toEqual({ tokens: { stripe: 'pm_kept' }, bound: [] });
  });

  it('is an intent, too, or is asked to save when it is confirmed', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_1'), keeping('pm_2')] });
    const first = await createPaymentIntent(input(), w.caller(), w.deps);
    expect((await confirmPayment({ id: first.id }, w.caller(), w.deps)).payment_method_id).toMatch(/^pm_/);
    const second = await createPaymentIntent(input({ save: false }), w.caller(), w.deps);
    expect((await confirmPayment({ id: second.id, save: true }, w.caller(), w.deps)).payment_method_id).toMatch(/^pm_/);
    expect(await methodsOf(w)).toHaveLength(2);
  });

  it('keeps nothing if it is declined', async () => {
    const declined: ChargeResult = (order) => ({ ...charges.declined('do_not_honor')(order), saved: 'pm_kept' });
    const w = await shopWith({ conn_a: [declined] });
    expect((await create(w)).status).toBe('failed');
    expect(await methodsOf(w)).toEqual([]);
  });

  it('succeeds without a method where the customer has no room for another one', async () => {
    const w = await shopWith({ conn_a: Array.from({ length: 52 }, (_, n) => keeping(`pm_${n}`)) });
    const made = [];
    for (let n = 0; n < 51; n += 1) made.push(await create(w));
    expect([made.at(-2)?.payment_method_id, made.at(-1)?.payment_method_id]).toEqual([
      expect.stringMatching(/^pm_/),
      undefined,
    ]);
    expect(made.at(-1)?.status).toBe('succeeded');
  });
});

describe('what is kept of a customer', () => {
  it('is not overwritten by who has read it before the last method was deleted and another one made', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_1'), keeping('pm_2')] });
    await create(w);
    const methods = await w.deps.paymentMethods();
    const [read, [first]] = [await methods.customer(ORG, 'kim'), await methodsOf(w)];
    if (!first) throw new Error('The payment has kept it.');
    await methods.commit({ before: read, after: withoutMethod(read, first.id) }, [{ before: first }]);
    const { payment_method_id } = await create(w);
    expect(await methods.commit({ before: read, after: read })).toBe(false);
    expect((await methodsOf(w)).map(({ id }) => id)).toEqual([payment_method_id]);
  });
});

describe('a method with too many tokens for another one', () => {
  it('leaves its payment charged', async () => {
    const large = { payment_method: 'pm_1', note: 'x'.repeat(MAX_TOKEN_SET_BYTES) };
    const w = await shopWith({ conn_a: [keeping('pm_kept'), keeping(large)] });
    const { payment_method_id: id = '' } = await create(w);
    const payment_method = { type: 'saved', id, tokens: { stripe: 'tok_2' } };
    const full = await create(w, { payment_method });
    expect([full.status, full.payment_method_id]).toEqual(['succeeded', id]);
    expect(await tokensOf(w, (await methodsOf(w))[0])).toHaveLength(1);
  });
});

describe('without `save`', () => {
  it('what the provider has kept is dropped', async () => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const payment = await create(w, { save: false });
    expect([payment.payment_method_id, w.charged[0]?.order.save]).toEqual([undefined, undefined]);
    expect(await methodsOf(w)).toEqual([]);
  });
});

describe('a process that dies after the method is kept, and before the payment is settled', () => {
  it.each<[string, PaymentToken | undefined]>([
    ['tells the token again', 'pm_kept'],
    ['does not tell it again', undefined],
  ])('leaves one method, which the payment names once the provider is asked, which %s', async (_, saved) => {
    const w = await shopWith({ conn_a: [keeping('pm_kept')] });
    const dying: Deps = { ...w.deps, payments: withoutChanges(w.deps.payments) };
    await expect(createPayment(input(), w.caller(), dying)).rejects.toThrow('The process died.');
    const [kept] = await methodsOf(w);
    const [payment] = (await w.deps.payments.list(ORG, ['conn_a'], { limit: 1, offset: 0 })).items;
    const attempt = payment?.attempts[0];
    if (!payment || !attempt) throw new Error('They were written before the call.');
    expect([kept?.id, payment.payment_method_id]).toEqual([savedMethodId(payment.id), undefined]);
    const { amount, currency } = payment;
    const verdict = { kind: 'succeeded', reference: 'ch_1', amount, currency } as const;
    const at = w.clock.now();
    const settled = await settlePayment(payment, (p) => settle(p, attempt.id, verdict, at), w.deps, saved);
    expect([settled.status, settled.payment_method_id]).toEqual(['succeeded', kept?.id]);
    expect(await methodsOf(w)).toHaveLength(1);
  });
});

/** Payments are written and read, and their process dies at the first change. */
const withoutChanges = (payments: Deps['payments']): Deps['payments'] => ({
  ...payments,
  claim: (...given) => payments.claim(...given),
  change: () => Promise.reject(new Error('The process died.')),
});

describe('a payment that the merchant initiates with a saved method', () => {
  it('refers to it too when an intent that says so is confirmed with the method', async () => {
    const w = await shopWith({ conn_a: [keeping({ customer: 'cus_1', payment_method: 'pm_1' })] });
    const { payment_method_id: id = '' } = await create(w);
    const bare = { amount: 5_000, currency: 'EUR', customer_id: 'kim', mit: { reason: 'instalment' } } as const;
    const intent = await createPaymentIntent(bare, w.caller(), w.deps);
    await confirmPayment({ id: intent.id, payment_method: { type: 'saved', id } }, w.caller(), w.deps);
    expect(w.charged.at(-1)?.order).toMatchObject({
      offSession: true,
      details: { mit: { reason: 'instalment', network_transaction_id: 'chain1' } },
    });
  });

  it('refers to the payment in which the customer agreed', async () => {
    const w = await shopWith({ conn_a: [keeping({ customer: 'cus_1', payment_method: 'pm_1' })] });
    const { payment_method_id: id = '' } = await create(w);
    await create(w, { save: false, payment_method: { type: 'saved', id }, mit: { reason: 'unscheduled' } });
    expect(w.charged.at(-1)?.order).toMatchObject({
      offSession: true,
      details: { mit: { reason: 'unscheduled', network_transaction_id: 'chain1' } },
    });
  });
});
