import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGuest, aLink, getLink, providerUrl } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain, faultsIn } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: ['stripe'] });
});
afterAll(() => host.close());

let number = 0;
const aCustomer = (): string => {
  number += 1;
  return `guest-${number}`;
};
const saved = async (customer_id: string): Promise<Body> =>
  (await host.call('POST', '/v1/payment-methods', { customer_id, type: 'card', tokens: { stripe: 'ok' } })).body;
const methodsOf = async (customer: string): Promise<Body[]> =>
  (await host.call('GET', `/v1/payment-methods?customer_id=${customer}`)).body.payment_methods;
const makeLink = (body: Body) => host.call('POST', '/v1/payment-links', { amount: 700, currency: 'EUR', ...body });

async function paymentOf({ id }: Body): Promise<Body> {
  await drain(host);
  const { payments } = (await host.call('GET', '/v1/payments?limit=20')).body;
  return payments.find(({ payment_link_id }: Body) => payment_link_id === id);
}

/** A guest presses the button; without a saved method the provider's page follows. */
async function start({ url }: Body) {
  const guest = aGuest(host);
  return guest.submit(await guest.open(url), 'start');
}
async function payOnPage(link: Body): Promise<Body> {
  const page = providerUrl(await start(link));
  await fetch(page, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
  return paymentOf(link);
}

describe('a payment link for a customer', () => {
  it('keeps the method that the customer chooses on the page of the provider', async () => {
    const customer_id = aCustomer();
    const link = await aLink(host, { customer_id, save: true });
    expect(link).toMatchObject({ customer_id, save: true });
    const payment = await payOnPage(link);
    expect(payment).toMatchObject({ status: 'succeeded', customer_id });
    expect(await methodsOf(customer_id)).toMatchObject([{ id: payment.payment_method_id, providers: ['stripe'] }]);
  });

  it('with a saved method is paid by one button, without a page of the provider', async () => {
    const method = await saved(aCustomer());
    const link = await aLink(host, { payment_method: { id: method.id } });
    expect(link).toMatchObject({ methods: ['card'], customer_id: method.customer_id, payment_method_id: method.id });
    await start(link);
    expect(await paymentOf(link)).toMatchObject({ status: 'succeeded', payment_method_id: method.id });
    expect(await getLink(host, link.id)).toMatchObject({ status: 'completed' });
  });

  it('asks on the page of the provider once its method is deleted', async () => {
    const method = await saved(aCustomer());
    const link = await aLink(host, { payment_method: { id: method.id } });
    await host.call('DELETE', `/v1/payment-methods/${method.id}`);
    const payment = await payOnPage(link);
    expect(payment).toMatchObject({ status: 'succeeded', customer_id: method.customer_id });
    expect(payment).not.toHaveProperty('payment_method_id');
  });

  it.each<[string, (method: Body) => Body, string]>([
    ['another customer', ({ id }) => ({ customer_id: 'somebody else', payment_method: { id } }), 'payment_method.id'],
    ['other methods', ({ id }) => ({ methods: ['card', 'ideal'], payment_method: { id } }), 'methods'],
    ['no customer to save for', () => ({ save: true }), 'save'],
  ])('is refused with %s', async (_, body, path) => {
    const reply = await makeLink(body(await saved(aCustomer())));
    expect([reply.status, faultsIn(reply)]).toEqual([400, [path]]);
  });

  it('is closed, and names the customer no more, once the customer is erased', async () => {
    const customer_id = aCustomer();
    const link = await aLink(host, { customer_id, description: 'For Kim Doe', metadata: { name: 'Kim' } });
    expect((await host.call('GET', `/v1/customers/${customer_id}`)).body.payment_links).toBe(1);
    expect((await host.call('DELETE', `/v1/customers/${customer_id}`)).status).toBe(202);
    await advance(host, '1h');
    const left = await getLink(host, link.id);
    expect(left).toMatchObject({ status: 'inactive', description: null, metadata: {} });
    expect(left).not.toHaveProperty('customer_id');
    expect((await host.call('GET', `/v1/customers/${customer_id}`)).status).toBe(404);
  });
});
