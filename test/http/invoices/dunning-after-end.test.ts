import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDebtor, changeMethod, type Debtor, savePolicy, toNextRetry } from '#test/http/invoices/dunning.support.ts';
import { goTo, invoicesOf, moveSubscription, savedCard } from '#test/support/billing.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { advance, arrange, aShop, moneyOf } from '#test/support/payment-steps.ts';

/** A subscription that ended still owes what was delivered, so its open invoice is still collected. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

/** A weekly subscription that has ended, whose last invoice is retried ten days after its decline. */
async function anEndedDebtor(
  declines: number,
  policy: { readonly delays: readonly string[]; readonly max_retries: number },
): Promise<Debtor> {
  const shop = await aShop(host, { a: {} });
  await savePolicy(host, shop, policy);
  await arrange(host, 'decline:insufficient_funds', { times: declines });
  const debtor = await aDebtor(host, 'ok', { interval: 'weekly' }, shop);
  await moveSubscription(host, debtor, 'cancel', { at_period_end: true }, debtor.how);
  await goTo(host, (await debtor.subscription()).next_renewal_at);
  expect([(await debtor.subscription()).status, (await debtor.invoice()).status]).toEqual(['canceled', 'open']);
  return debtor;
}

/** Whether the store still has the customer's saved card. */
const keepsCard = async ({ id }: Debtor) => (await host.deps.subscriptions.byId(id))?.sealed_method !== null;

describe('an invoice that is open when its subscription ends', () => {
  it('keeps being retried, and the card is kept until it is paid', async () => {
    const debtor = await anEndedDebtor(1, { delays: ['10d'], max_retries: 3 });
    expect(await keepsCard(debtor)).toBe(true);
    await toNextRetry(host, debtor);
    expect([await debtor.invoice(), await debtor.taken()]).toEqual([
      expect.objectContaining({ status: 'paid', attempts: 2 }),
      [[1, 1_990]],
    ]);
    await advance(host, '25h');
    expect(await keepsCard(debtor)).toBe(false);
    expect([(await debtor.subscription()).status, await debtor.events()]).toMatchObject([
      'canceled',
      { 'invoice.paid': 1, 'subscription.canceled': 1, 'subscription.updated': 1 },
    ]);
    await advance(host, '60d');
    expect(await invoicesOf(host, debtor, debtor.how)).toHaveLength(1);
  });

  it('fails when its retries are used up, which pauses nothing and deletes the card', async () => {
    const debtor = await anEndedDebtor(9, { delays: ['10d', '1h'], max_retries: 2 });
    await toNextRetry(host, debtor);
    expect(await debtor.invoice()).toMatchObject({ status: 'open', attempts: 2 });
    await toNextRetry(host, debtor);
    await host.control('DELETE', '/psp/scenario');
    expect([await debtor.invoice(), (await debtor.subscription()).status]).toEqual([
      expect.objectContaining({ status: 'failed', attempts: 3 }),
      'canceled',
    ]);
    await advance(host, '25h');
    expect([await keepsCard(debtor), (await debtor.events())['subscription.paused']]).toEqual([false, undefined]);
    // The payment has its own card, so the merchant may still retry it.
    expect((await debtor.retry()).body).toMatchObject({ status: 'paid', attempts: 4 });
  });

  it('can be canceled by the merchant, which deletes the card', async () => {
    const debtor = await anEndedDebtor(1, { delays: ['10d'], max_retries: 3 });
    expect((await debtor.cancel()).body.status).toBe('canceled');
    await advance(host, '25h');
    expect([await keepsCard(debtor), (await debtor.payment()).attempts.length, await debtor.taken()]).toEqual([
      false,
      1,
      [[0, 0]],
    ]);
  });

  it('accepts another card through its payment, but not through the ended subscription', async () => {
    const debtor = await anEndedDebtor(1, { delays: ['10d'], max_retries: 3 });
    expect(await changeMethod(host, debtor, 'ok')).toMatchObject({
      status: 409,
      body: { code: 'subscription_canceled' },
    });
    expect(await moveSubscription(host, debtor, 'cancel', undefined, debtor.how)).toMatchObject({ status: 409 });
    const { id } = await debtor.payment();
    await host.call('POST', `/v1/payments/${id}/retry`, { payment_method: savedCard('pm_card_visa') }, debtor.how);
    expect([(await debtor.invoice()).status, await moneyOf(host, id)]).toMatchObject([
      'paid',
      { count: 1, refunded: 0 },
    ]);
  });
});

describe('a subscription that ends with no open invoice', () => {
  it('does not keep the card', async () => {
    const debtor = await aDebtor(host, 'ok', { interval: 'weekly' });
    await moveSubscription(host, debtor, 'cancel', { at_period_end: true }, debtor.how);
    expect(await keepsCard(debtor)).toBe(true);
    await goTo(host, (await debtor.subscription()).next_renewal_at);
    expect([(await debtor.subscription()).status, await keepsCard(debtor)]).toEqual(['canceled', false]);
  });
});
