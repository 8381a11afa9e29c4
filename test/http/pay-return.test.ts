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

/** Presses a button on the provider's page, and returns the URL that the customer is redirected to. */
async function choose(url: string, choice: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: choice }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

/** Payments whose provider sends no callback, so that only the customer's return settles them. */
async function paymentWithoutCallbacks(more: Readonly<Record<string, unknown>>): Promise<Body> {
  await arrange(host, 'approve', { webhook: 'none' });
  return payOnPage(host, more);
}

const visit = async (address: string, method = 'GET') => {
  const { status, headers, ...reply } = await fetch(address, { method, redirect: 'manual' });
  return { status, location: headers.get('location'), headers, reply };
};

describe.each(['GET', 'POST'])('%s /pay/return/{payment_id}', (method) => {
  it('settles the payment and redirects the customer', async () => {
    const { id, next_action } = await paymentWithoutCallbacks(withReturn());
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

  it('redirects a customer who has not paid, and can be opened again', async () => {
    const { id, next_action } = await paymentWithoutCallbacks(withReturn());
    const back = await choose(next_action.url, 'cancel');
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=requires_action`);
    await choose(next_action.url, 'pay');
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=succeeded`);
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=succeeded`);
  });

  it.each([
    ['authenticate', 'succeeded'],
    ['fail', 'failed'],
  ])('works after 3-D Secure: %s', async (choice, status) => {
    await arrange(host, 'requires_action', { webhook: 'none' });
    const { id, next_action } = await pay(host, 'needs_3ds', withReturn('needs_3ds'));
    const back = await choose(next_action.url, choice);
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=${status}`);
    expect((await read(host, id)).status).toBe(status);
  });

  it('thanks the customer if the merchant gave no return URL', async () => {
    const { id, next_action } = await paymentWithoutCallbacks({});
    const back = await choose(next_action.url, 'pay');
    const { status, location } = await visit(back, method);
    expect([status, location, (await read(host, id)).status]).toEqual([200, null, 'succeeded']);
  });

  it('redirects with the status of a finished payment, and changes nothing', async () => {
    const { id, next_action } = await paymentWithoutCallbacks(withReturn());
    const back = await choose(next_action.url, 'cancel');
    await act(host, id, 'cancel');
    expect((await visit(back, method)).location).toBe(`${RETURN_URL}&payment_id=${id}&status=canceled`);
  });

  it('answers the same 404 to a wrong, missing or foreign token and to an unknown payment', async () => {
    const { id, next_action } = await paymentWithoutCallbacks(withReturn());
    const back = await choose(next_action.url, 'pay');
    const token = new URL(back).searchParams.get('t');
    const other = (await payOnPage(host)).id;
    const asked = [`${id}?t=wrong`, id, `${other}?t=${token}`, `pay_01jqeh2s00e8x9v3k5t7w2m4np?t=${token}`, 'a%20b'];
    for (const each of asked)
      expect((await visit(`${host.info.api}/pay/return/${each}`, method)).status, each).toBe(404);
    expect((await read(host, id)).status).toBe('requires_action');
  });

  it('accepts any parameters that the provider adds', async () => {
    const { next_action } = await paymentWithoutCallbacks(withReturn());
    const back = await choose(next_action.url, 'pay');
    expect((await visit(`${back}&session_id=cs_1&lang=de`, method)).status).toBe(303);
  });
});

describe('the redirect to the merchant', () => {
  it('keeps the query of the return URL byte for byte', async () => {
    const return_url = 'https://shop.example/back?sig=a%20b~c&flag&status=cart7#top';
    const { id, next_action } = await paymentWithoutCallbacks({ payment_method: { type: 'card', return_url } });
    const { location } = await visit(await choose(next_action.url, 'pay'));
    const theirs = 'https://shop.example/back?sig=a%20b~c&flag&status=cart7';
    expect(location).toBe(`${theirs}&payment_id=${id}&status=succeeded#top`);
  });

  it('follows where the provider appends its parameters with a second question mark', async () => {
    const { id, next_action } = await paymentWithoutCallbacks(withReturn());
    const back = new URL(await choose(next_action.url, 'pay'));
    const token = back.searchParams.get('t');
    const { status, location } = await visit(
      `${back.origin}${back.pathname}?t=${token}?razorpay_payment_id=pay_x&razorpay_signature=y`,
    );
    expect([status, location]).toEqual([303, `${RETURN_URL}&payment_id=${id}&status=succeeded`]);
    expect((await visit(`${back.origin}${back.pathname}?t=wrong?t=${token}`)).status).toBe(404);
  });
});

describe('HEAD /pay/return/{payment_id}', () => {
  it('finds the page, and settles nothing', async () => {
    const { id, next_action } = await paymentWithoutCallbacks(withReturn());
    const back = await choose(next_action.url, 'pay');
    expect((await visit(back, 'HEAD')).status).toBe(200);
    expect((await read(host, id)).status).toBe('requires_action');
    expect((await visit(back.replace(/t=[^&]+/, 't=wrong'), 'HEAD')).status).toBe(404);
  });
});
