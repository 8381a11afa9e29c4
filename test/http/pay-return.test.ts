import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, arrange, eventTypesOf, moneyOf, pay, payOnPage, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const RETURN_URL = 'https://shop.example/thanks?order=7';
const withReturn = (token?: string) => ({
  payment_method: { type: 'card', return_url: RETURN_URL, ...(token && { token }) },
});

/** What the customer chooses on a page of the provider's; answers where she is sent. */
async function choose(url: string, choice: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: choice }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

/** Payments whose provider sends no news, so that only the customer's return can tell. */
async function silently(more: Readonly<Record<string, unknown>>): Promise<Body> {
  await arrange(host, 'approve', { webhook: 'none' });
  return payOnPage(host, more);
}

const visit = async (address: string, method = 'GET') => {
  const { status, headers, ...reply } = await fetch(address, { method, redirect: 'manual' });
  return { status, location: headers.get('location'), headers, reply };
};

describe.each(['GET', 'POST'])('%s /pay/return/{payment_id}', (method) => {
  it('settles the payment and sends the customer on', async () => {
    const { id, next_action } = await silently(withReturn());
    const back = await choose(next_action.url, 'pay');
    expect([back.startsWith(`${host.info.api}/pay/return/${id}?`), (await read(host, id)).status]).toEqual([
      true,
      'requires_action',
    ]);
    expect(await visit(back, method)).toMatchObject({
      status: 303,
      location: `${RETURN_URL}&payment_id=${id}&status=succeeded`,
    });
    expect((await read(host, id)).status).toBe('succeeded');
    expect([(await moneyOf(host, id)).count, await eventTypesOf(host, id)]).toEqual([1, ['created', 'succeeded']]);
  });

  it('sends on a customer who has not paid, and may come again', async () => {
    const { id, next_action } = await silently(withReturn());
    const back = await choose(next_action.url, 'cancel');
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=requires_action`);
    await choose(next_action.url, 'pay');
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=succeeded`);
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=succeeded`);
  });

  it.each([
    ['authenticate', 'succeeded'],
    ['fail', 'failed'],
  ])('comes after 3-D Secure as well: %s', async (choice, status) => {
    await arrange(host, 'requires_action', { webhook: 'none' });
    const { id, next_action } = await pay(host, 'needs_3ds', withReturn('needs_3ds'));
    const back = await choose(next_action.url, choice);
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=${status}`);
    expect((await read(host, id)).status).toBe(status);
  });

  it('says thank you where the merchant named no address', async () => {
    const { id, next_action } = await silently({});
    const back = await choose(next_action.url, 'pay');
    const { status, location } = await visit(back, method);
    expect([status, location, (await read(host, id)).status]).toEqual([200, null, 'succeeded']);
  });

  it('shows what a payment that is over has become, and changes nothing', async () => {
    const { id, next_action } = await silently(withReturn());
    const back = await choose(next_action.url, 'cancel');
    await act(host, id, 'cancel');
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=canceled`);
  });

  it('answers 404 alike to a wrong token, to none, to that of another payment, and to a payment that never was', async () => {
    const { id, next_action } = await silently(withReturn());
    const back = await choose(next_action.url, 'pay');
    const token = new URL(back).searchParams.get('t');
    const other = (await payOnPage(host)).id;
    const asked = [`${id}?t=wrong`, id, `${other}?t=${token}`, `pay_01jqeh2s00e8x9v3k5t7w2m4np?t=${token}`, 'a%20b'];
    for (const each of asked)
      expect((await visit(`${host.info.api}/pay/return/${each}`, method)).status, each).toBe(404);
    expect((await read(host, id)).status).toBe('requires_action');
  });

  it('takes whatever the provider adds to the address', async () => {
    const { next_action } = await silently(withReturn());
    const back = await choose(next_action.url, 'pay');
    expect((await visit(`${back}&session_id=cs_1&lang=de`, method)).status).toBe(303);
  });
});
