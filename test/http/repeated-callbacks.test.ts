import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, arrange, aShop, bring, eventText, pay, read, type Shop } from '#test/support/payment-steps.ts';

let host: TestHost;
let shop: Shop;
beforeAll(async () => {
  host = await startHost();
  shop = await aShop(host, { main: {} });
});
afterAll(() => host?.close());

/** A payment whose provider sent nothing yet. */
async function paid(): Promise<Body> {
  await arrange(host, 'approve', { webhook: 'none' });
  const payment = await pay(host, 'ok', {}, { key: shop.key });
  await host.drain();
  return payment;
}

const secret = () => shop.credentials.main?.webhook_secret ?? '';

const successOf = ({ id, psp_reference }: Body): string =>
  eventText({
    type: 'payment_intent.succeeded',
    object: {
      id: psp_reference,
      object: 'payment_intent',
      status: 'succeeded',
      metadata: { org_id: shop.org_id, connection_id: 'main', payment_id: id },
    },
  });

/** The calls that the callback's function makes meanwhile. */
async function callsWhile(work: () => Promise<unknown>): Promise<readonly string[]> {
  const calls: string[] = [];
  const stop = host.onCall(({ group, point, method }) => {
    if (group === 'psp-webhooks') calls.push(`${point} ${method}`);
  });
  await work();
  stop();
  return calls;
}

describe('a callback that repeats what the payment shows', () => {
  it('reads the payment, and its connection once in a while, and asks the provider nothing', async () => {
    const [first, second] = [await paid(), await paid()];
    const calls = async (payment: Body) =>
      (await callsWhile(async () => expect((await bring(host, successOf(payment), secret())).status).toBe(200))).filter(
        (call) => !call.startsWith('vault'),
      );
    expect(await calls(first)).toEqual(['table get', 'table get']);
    expect(await calls(second)).toEqual(['table get']);
  });

  it('is refused with a wrong signature, like any other', async () => {
    const payment = await paid();
    expect((await bring(host, successOf(payment), 'whsec_wrong')).status).toBe(401);
    expect((await read(host, payment.id, { key: shop.key })).status).toBe('succeeded');
  });

  it('is looked at in full once the payment has a refund', async () => {
    const payment = await paid();
    await arrange(host, 'approve', { webhook: 'none', match: { operation: 'refund' } });
    await act(host, payment.id, 'refund', { amount: 100 }, { key: shop.key });
    await host.drain();
    const calls = await callsWhile(() => bring(host, successOf(payment), secret()));
    expect(calls.filter((call) => call === 'table get').length).toBeGreaterThan(2);
  });

  it('is not taken for a repeat if it names another charge', async () => {
    const payment = await paid();
    const other = successOf({ ...payment, psp_reference: `${payment.psp_reference}x` });
    const calls = await callsWhile(() => bring(host, other, secret()));
    expect(calls.filter((call) => call === 'table get').length).toBeGreaterThan(1);
  });
});
