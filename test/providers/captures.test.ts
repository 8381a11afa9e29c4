import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import {
  type ApiResponse,
  aConnection,
  anOrganization,
  type Body,
  HANG_UP_AFTER_MS,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { eventTypesOf } from '#test/support/payment-steps.ts';

/** Charges that are captured later: what the PSP holds, takes and gives back is what the payment says. */
let host: TestHost;
const keys = new Map<Provider, string>();
beforeAll(async () => {
  host = await startHost({ demoProviders: [], hangUpAfterMs: HANG_UP_AFTER_MS });
});
afterAll(() => host?.close());

const AMOUNT = 5_000;

type Line = {
  readonly provider: Provider;
  readonly parts: boolean;
  readonly several: boolean;
  /** Whether it can give an authorization back. */
  readonly voids: boolean;
};

const LINES: readonly Line[] = [
  { provider: 'mollie', parts: true, several: true, voids: true },
  { provider: 'razorpay', parts: false, several: false, voids: false },
];

async function keyOf(provider: Provider): Promise<string> {
  const known = keys.get(provider);
  if (known) return known;
  const org = await anOrganization(host);
  await aConnection(host, org, { id: 'main', provider });
  keys.set(provider, org.key);
  return org.key;
}

const post = async (provider: Provider, path: string, body?: Body): Promise<ApiResponse> =>
  host.call('POST', path, body, { key: await keyOf(provider) });

const created = (provider: Provider): Promise<ApiResponse> => {
  const payment_method = { type: 'card', token: 'ok', phone: '+919900000000' };
  const customer_email = 'kim@example.com';
  return post(provider, '/v1/payments', {
    amount: AMOUNT,
    currency: 'USD',
    capture: 'manual',
    customer_email,
    payment_method,
  });
};

async function later(provider: Provider, id: string): Promise<Body> {
  await host.control('POST', '/drain');
  return (await host.call('GET', `/v1/payments/${id}`, undefined, { key: await keyOf(provider) })).body;
}

async function authorized(provider: Provider): Promise<Body> {
  const { body } = await created(provider);
  const payment = await later(provider, body.id);
  expect([payment.status, payment.authorized_amount, payment.captured_amount]).toEqual(['authorized', AMOUNT, 0]);
  return payment;
}

const booksOf = (id: string) => {
  const { holds = {}, charges } = host.simulators.calls({ payment_id: id });
  const { authorized: held = 0, captured = 0, released = 0, count = 0 } = holds[id] ?? {};
  return { held: held - captured - released, captured, released, refunded: charges[id]?.refunded ?? 0, count };
};

const told = async (provider: Provider, id: string) =>
  (await eventTypesOf(host, id, { key: await keyOf(provider) })).toSorted();

const amountsOf = ({ status, captured_amount, released_amount }: Body) => [status, captured_amount, released_amount];

describe.each(LINES)('a charge at $provider that is captured later', ({ provider, parts, several, voids }) => {
  const capture = (id: string, body: Body = {}) => post(provider, `/v1/payments/${id}/capture`, body);
  const arrange = (behaviour: string) =>
    host.control('POST', '/psp/scenario', { provider, behaviour, match: { operation: 'capture' } });

  it('holds the money, takes it as a whole, and gives back what is refunded', async () => {
    const { id, capturable_until } = await authorized(provider);
    expect(capturable_until > host.clock.now().toISOString()).toBe(true);
    expect(booksOf(id)).toEqual({ held: AMOUNT, captured: 0, released: 0, refunded: 0, count: 1 });
    expect((await post(provider, `/v1/payments/${id}/refund`)).body.code).toBe('payment_not_refundable');
    expect((await capture(id)).status).toBe(200);
    expect(amountsOf(await later(provider, id))).toEqual(['succeeded', AMOUNT, 0]);
    expect((await capture(id)).body.code).toBe('payment_not_capturable');
    expect((await post(provider, `/v1/payments/${id}/refund`)).status).toBe(200);
    await host.control('POST', '/clock', { advance: '2s' });
    expect(await told(provider, id)).toEqual(
      expect.arrayContaining(['authorized', 'captured', 'created', 'succeeded']),
    );
    expect(booksOf(id)).toMatchObject({ held: 0, captured: AMOUNT, released: 0, count: 1 });
  });

  it('takes the money once when the capture gets no response', async () => {
    const { id } = await authorized(provider);
    await arrange('timeout_after_charge');
    await capture(id);
    await host.control('POST', '/clock', { advance: '2m' });
    expect(amountsOf(await later(provider, id))).toEqual(['succeeded', AMOUNT, 0]);
    expect(booksOf(id)).toMatchObject({ held: 0, captured: AMOUNT });
  });

  it('sends a capture again that did not reach the provider', async () => {
    const { id } = await authorized(provider);
    await arrange('refuse_connection');
    expect((await capture(id)).body.captures).toMatchObject([{ status: 'pending' }]);
    await host.control('POST', '/clock', { advance: '2m' });
    expect(amountsOf(await later(provider, id))).toEqual(['succeeded', AMOUNT, 0]);
    expect(booksOf(id)).toMatchObject({ held: 0, captured: AMOUNT });
  });

  it('can be captured again after a capture that the bank declines', async () => {
    const { id } = await authorized(provider);
    await arrange('decline:card_declined');
    await capture(id);
    const declined = await later(provider, id);
    expect([...amountsOf(declined), declined.captures[0].status]).toEqual(['authorized', 0, 0, 'failed']);
    expect((await capture(id)).status).toBe(200);
    expect(amountsOf(await later(provider, id))).toEqual(['succeeded', AMOUNT, 0]);
    expect(await told(provider, id)).toEqual(['authorized', 'capture_failed', 'captured', 'created', 'succeeded']);
  });

  it(parts ? 'takes a part, and gives the rest back' : 'refuses a part before anything is sent', async () => {
    const { id } = await authorized(provider);
    const { body } = await capture(id, { amount: 2_000 });
    const payment = await later(provider, id);
    if (parts) expect(amountsOf(payment)).toEqual(['succeeded', 2_000, 3_000]);
    else expect([body.code, payment.status, payment.captures]).toEqual(['payment_not_capturable', 'authorized', []]);
    expect(booksOf(id)).toMatchObject(parts ? { held: 0, captured: 2_000, released: 3_000 } : { held: AMOUNT });
  });

  it(several ? 'takes several parts' : 'refuses a part that is not the last', async () => {
    const { id } = await authorized(provider);
    const { body } = await capture(id, { amount: 1_000, final: false });
    if (!several) {
      expect([body.code, booksOf(id).captured]).toEqual(['payment_not_capturable', 0]);
      return;
    }
    expect(amountsOf(await later(provider, id))).toEqual(['authorized', 1_000, 0]);
    expect((await capture(id, { amount: 4_001 })).body.code).toBe('capture_exceeds_authorized');
    expect((await capture(id, { amount: 1_500 })).status).toBe(200);
    expect(amountsOf(await later(provider, id))).toEqual(['succeeded', 2_500, 2_500]);
    expect(booksOf(id)).toMatchObject({ held: 0, captured: 2_500, released: 2_500, count: 1 });
  });

  it(voids ? 'gives the money back on cancel' : 'says on cancel that the provider cannot give it back', async () => {
    const { id } = await authorized(provider);
    const { body } = await post(provider, `/v1/payments/${id}/cancel`);
    const payment = await later(provider, id);
    if (voids) expect(amountsOf(payment)).toEqual(['canceled', 0, AMOUNT]);
    else expect([body.code, ...amountsOf(payment)]).toEqual(['payment_not_cancelable', 'authorized', 0, 0]);
    expect(booksOf(id)).toMatchObject(voids ? { held: 0, released: AMOUNT } : { held: AMOUNT });
  });

  it('follows what the merchant captures in the dashboard', async () => {
    const { id } = await authorized(provider);
    expect(host.simulators.captureInDashboard(provider, id, AMOUNT)).toBeLessThan(300);
    expect(amountsOf(await later(provider, id))).toEqual(['succeeded', AMOUNT, 0]);
    expect(await told(provider, id)).toEqual(['authorized', 'captured', 'created', 'succeeded']);
  });

  if (voids)
    it('follows what the merchant gives back in the dashboard', async () => {
      const { id } = await authorized(provider);
      expect(host.simulators.voidInDashboard(provider, id)).toBeLessThan(300);
      expect(amountsOf(await later(provider, id))).toEqual(['canceled', 0, AMOUNT]);
      expect((await capture(id)).body.code).toBe('payment_not_capturable');
    });

  it('announces the end of a hold a day before, and then fails', async () => {
    const { id, capturable_until } = await authorized(provider);
    const days = Math.floor((Date.parse(capturable_until) - host.clock.now().getTime()) / 86_400_000);
    for (let day = 0; day < days; day += 1) await host.control('POST', '/clock', { advance: '24h' });
    expect(await told(provider, id)).toEqual(['authorization_expiring', 'authorized', 'created']);
    await host.control('POST', '/clock', { advance: '26h' });
    await host.control('POST', '/clock', { advance: '2h' });
    const payment = await later(provider, id);
    expect([...amountsOf(payment), payment.failure?.code]).toEqual(['failed', 0, AMOUNT, 'authorization_expired']);
    expect(booksOf(id)).toMatchObject({ held: 0, captured: 0, released: AMOUNT });
    expect(await told(provider, id)).toEqual(['authorization_expiring', 'authorized', 'created', 'failed']);
  });
});

describe.each(['paystack', 'flutterwave'] as const)(
  'a charge that is captured later, in a shop with %s alone',
  (provider) => {
    it('is sent to nobody, and says why', async () => {
      const { body } = await created(provider);
      expect([body.status, body.failure?.code]).toEqual(['failed', 'no_route']);
      expect(body.routing.considered).toMatchObject([{ usable: false, reason: 'capture_not_supported' }]);
      expect(host.simulators.calls({ payment_id: body.id }).calls).toEqual([]);
    });
  },
);
