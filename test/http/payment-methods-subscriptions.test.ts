import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancel,
  invoicesOf,
  subscribe,
  subscribeLater,
  update,
} from '#test/http/subscriptions/subscriptions.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, faultsIn, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

let number = 0;
async function aSavedCard(token = 'ok', more: Body = {}): Promise<Body> {
  number += 1;
  const body = { customer_id: `subscriber-${number}`, type: 'card', tokens: { stripe: token }, ...more };
  const reply = await host.call('POST', '/v1/payment-methods', body);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
}
const withMethod = ({ id, customer_id }: Body, more: Body = {}): Body => ({
  customer_id,
  payment_method: { id },
  ...more,
});
const remove = ({ id }: Body) => host.call('DELETE', `/v1/payment-methods/${id}`);
const paymentsOf = async (subscription: Body): Promise<Body[]> => {
  const invoices: Body[] = await invoicesOf(host, subscription);
  return Promise.all(invoices.map(({ payment_id }) => read(host, payment_id)));
};

describe('a subscription with a saved method', () => {
  it('names it, is charged with it, and refers to the payment in which the customer agreed', async () => {
    const card = await aSavedCard('ok', { network_transaction_id: 'chain1' });
    const subscription = await subscribe(host, withMethod(card));
    expect(subscription).toMatchObject({ method: 'card', payment_method_id: card.id });
    await advance(host, '1s');
    expect(await paymentsOf(subscription)).toMatchObject([{ status: 'succeeded', payment_method_id: card.id }]);
  });

  it('is charged with the tokens that the method has by then', async () => {
    const card = await aSavedCard('decline_insufficient_funds');
    const subscription = await subscribeLater(host, withMethod(card));
    await host.call('PATCH', `/v1/payment-methods/${card.id}`, { tokens: { stripe: 'ok' } });
    await host.control('POST', '/clock', { set: subscription.start_at });
    expect(await paymentsOf(subscription)).toMatchObject([{ status: 'succeeded' }]);
  });

  it('keeps the method from being deleted until it has another one, or is canceled', async () => {
    const [first, second] = [await aSavedCard(), await aSavedCard()];
    const subscription = await subscribeLater(host, withMethod(first));
    const refused = await remove(first);
    expect([refused.status, refused.body.code]).toEqual([409, 'payment_method_in_use']);
    expect(refused.body.message).toContain(subscription.id);
    const foreign = await update(host, subscription.id, { payment_method: { id: second.id } });
    expect([foreign.status, faultsIn(foreign)]).toEqual([400, ['payment_method.id']]);
    expect(
      (await update(host, subscription.id, { payment_method: { type: 'card', token: 'ok' } })).body,
    ).not.toHaveProperty('payment_method_id');
    expect((await remove(first)).status).toBe(200);
    const other = await subscribeLater(host, withMethod(second));
    await cancel(host, other.id);
    expect((await remove(second)).status).toBe(200);
  });

  it('is refused without the method, and charges nobody if the method is lost', async () => {
    const none = await host.call('POST', '/v1/subscriptions', {
      ...withMethod({ id: 'pm_01jqeh2s00e8x9v3k5t7w2m4np', customer_id: 'anybody' }),
      plan_id: 'gold',
      amount: 900,
      currency: 'EUR',
      interval: 'monthly',
    });
    expect([none.status, faultsIn(none)]).toEqual([400, ['payment_method.id']]);
    const card = await aSavedCard();
    const subscription = await subscribeLater(host, withMethod(card));
    await loseMethod(card);
    await host.control('POST', '/clock', { set: subscription.start_at });
    expect(await paymentsOf(subscription)).toMatchObject([{ status: 'failed', failure: { code: 'no_route' } }]);
    expect(await invoicesOf(host, subscription)).toMatchObject([{ status: 'open' }]);
  });
});

/** As an erasure or a crash between two requests could leave it. */
async function loseMethod({ id, org_id, customer_id }: Body): Promise<void> {
  const methods = await host.deps.paymentMethods();
  const [customer, stored] = [await methods.customer(org_id, customer_id), await methods.get(org_id, id)];
  if (!stored) throw new Error('It is there.');
  await methods.commit({ before: customer, after: { ...customer, method_ids: [], default_id: null } }, [
    { before: stored },
  ]);
}
