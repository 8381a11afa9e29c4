import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aGuest, aLink, getLink, providerUrl } from '#test/support/guest-browser.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, drain } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host.close());

/** A guest pays the link at the provider, and comes back to our page. */
async function payLink({ id, url }: Body): Promise<{ readonly text: string; readonly payment: Body }> {
  const visitor = aGuest(host);
  const page = providerUrl(await visitor.submit(await visitor.open(url), 'start'));
  const reply = await fetch(page, { method: 'POST', body: new URLSearchParams({ do: 'pay' }), redirect: 'manual' });
  const { html: text } = await visitor.open(reply.headers.get('location') ?? '');
  await drain(host);
  const { payments } = (await host.call('GET', '/v1/payments?limit=20')).body;
  return { text, payment: payments.find(({ payment_link_id }: Body) => payment_link_id === id) };
}

describe('a payment link with manual capture', () => {
  it('counts an authorized payment as paid, and thanks the customer', async () => {
    const link = await aLink(host, { capture: 'manual' });
    expect(link).toMatchObject({ capture: 'manual' });
    const { text, payment } = await payLink(link);
    expect(text).toContain('Thank you for your payment');
    expect(payment).toMatchObject({ status: 'authorized', capture: 'manual' });
    expect(await getLink(host, link.id)).toMatchObject({ status: 'completed', payments_made: 1 });
    expect((await act(host, payment.id, 'capture')).body).toMatchObject({ status: 'succeeded' });
    expect(await getLink(host, link.id)).toMatchObject({ status: 'completed', payments_made: 1 });
  });

  it('is free again once the payment is canceled', async () => {
    const link = await aLink(host, { capture: 'manual' });
    const { payment } = await payLink(link);
    await act(host, payment.id, 'cancel');
    await drain(host);
    expect(await getLink(host, link.id)).toMatchObject({ status: 'active', payments_made: 0 });
    const next = await payLink(link);
    expect(next.payment).toMatchObject({ status: 'authorized' });
    expect(next.payment.id).not.toBe(payment.id);
    expect(await getLink(host, link.id)).toMatchObject({ status: 'completed', payments_made: 1 });
  });
});
