import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type OwnShop, openShop } from '#test/providers/own-shop.ts';
import { type ApiResponse, type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { advance, drain } from '#test/support/payment-steps.ts';

/** Disputes of charges at each PSP, from the customer's bank to the merchant and back: what we show is what it has. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [] });
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

type Row = {
  readonly provider: Provider;
  readonly currency: string;
  readonly beside?: Readonly<Record<string, string>>;
  /** What it takes through its API. */
  readonly accepts: boolean;
  readonly evidence: boolean;
  /** Nobody can answer: the money is gone at once. */
  readonly lostAtOnce?: true;
};

const ROWS: readonly Row[] = [
  { provider: 'stripe', currency: 'EUR', accepts: true, evidence: true },
  { provider: 'adyen', currency: 'EUR', accepts: true, evidence: false },
  { provider: 'checkout', currency: 'EUR', accepts: true, evidence: true },
  { provider: 'paypal', currency: 'EUR', accepts: true, evidence: true },
  { provider: 'razorpay', currency: 'INR', beside: { phone: '+919900000000' }, accepts: true, evidence: false },
  { provider: 'paystack', currency: 'NGN', accepts: true, evidence: true },
  { provider: 'mollie', currency: 'EUR', accepts: false, evidence: false, lostAtOnce: true },
  { provider: 'flutterwave', currency: 'NGN', accepts: true, evidence: true },
];

describe.each(ROWS)('a dispute at $provider', (row) => {
  const { provider, currency, beside = {}, accepts, evidence, lostAtOnce } = row;
  let shop: OwnShop;
  beforeAll(async () => {
    const traits = { provider, currency, beside, declines: [], cancel: 'refused', neverArrived: 'sent_again' } as const;
    shop = await openShop(host, traits);
  });

  const list = async ({ id }: Body): Promise<readonly Body[]> =>
    (await host.call('GET', `/v1/disputes?payment_id=${id}`, undefined, { key: shop.key })).body.disputes;
  const answer = ({ id }: Body, how: string, body?: Body): Promise<ApiResponse> =>
    host.call('POST', `/v1/disputes/${id}/${how}`, body, { key: shop.key });
  /** Callbacks come at once; an account without them is asked each hour, and so are its disputes. */
  async function until(payment: Body, isThere: (dispute: Body | undefined) => boolean): Promise<Body> {
    for (let n = 0; n < 6; n += 1) {
      await drain(host);
      const [dispute] = await list(payment);
      if (isThere(dispute)) return dispute;
      await advance(host, '61m');
      await pause(100);
    }
    const [last] = await list(payment);
    throw new Error(`It stayed ${last?.status}.`);
  }
  const paid = async (): Promise<Body> => shop.later(await shop.pay('ok'));
  const disputed = async (about = {}): Promise<{ payment: Body; dispute: Body }> => {
    const payment = await paid();
    expect(payment.status).toBe('succeeded');
    expect(host.simulators.openDispute(provider, payment.id, about)).toBeTypeOf('string');
    return { payment, dispute: await until(payment, (found) => found !== undefined) };
  };

  it('reaches the merchant once, with what it withholds of the payment', async () => {
    const { payment, dispute } = await disputed();
    const status = lostAtOnce ? 'lost' : 'needs_response';
    expect(dispute).toMatchObject({ payment_id: payment.id, provider, status, amount: 5_000, currency });
    expect(dispute.answer_options.accept).toBe(accepts);
    expect(dispute.answer_options.evidence_fields.length > 0).toBe(evidence);
    expect(await shop.later(payment)).toMatchObject({
      status: 'succeeded',
      amount_refunded: 0,
      amount_disputed: 5_000,
    });
    expect((await shop.act(payment, 'refund', { amount: 1_000 })).body.code).toBe('payment_disputed');
    expect(await list(payment)).toHaveLength(1);
  });

  it('gives the money back when the bank decides so', async () => {
    const { payment, dispute } = await disputed();
    expect(host.simulators.moveDispute(provider, dispute.psp_reference, 'won')).toBe(true);
    await until(payment, (found) => found?.status === 'won');
    expect((await shop.later(payment)).amount_disputed).toBe(0);
  });

  if (accepts)
    it('is accepted at the PSP, once', async () => {
      const { payment, dispute } = await disputed();
      const { status, body } = await answer(dispute, 'accept');
      expect([status, body.answer?.type]).toEqual([200, 'accept']);
      expect((await until(payment, (found) => found?.status === 'accepted')).closed_at).not.toBeNull();
      expect((await answer(dispute, 'accept')).body.code).toBe('dispute_not_answerable');
      expect((await shop.later(payment)).amount_disputed).toBe(5_000);
    });

  if (evidence)
    it('is answered with evidence at the PSP, and reviewed there', async () => {
      const { payment, dispute } = await disputed();
      const { status, body } = await answer(dispute, 'evidence', { explanation: 'The customer received the socks.' });
      expect([status, body.answer?.fields]).toEqual([200, ['explanation']]);
      await until(payment, (found) => found?.status === 'under_review');
    });

  if (!accepts || !evidence)
    it('says where to answer what its API does not take, and changes nothing', async () => {
      const { dispute } = await disputed();
      const how = accepts ? 'evidence' : 'accept';
      const refused = await answer(
        dispute,
        how,
        accepts ? { explanation: 'The customer received the socks.' } : undefined,
      );
      expect([refused.status, refused.body.code]).toEqual([
        409,
        lostAtOnce ? 'dispute_not_answerable' : 'dispute_answer_unsupported',
      ]);
      if (!lostAtOnce) expect(refused.body.message).toContain(`in the dashboard of ${provider}`);
    });

  if (accepts)
    it('can be answered again where the PSP could not be reached', async () => {
      const { dispute } = await disputed();
      await shop.arrange('refuse_connection', { match: { operation: 'dispute' } });
      expect((await answer(dispute, 'accept')).body.code).toBe('provider_error');
      await host.control('DELETE', '/psp/scenario');
      expect((await answer(dispute, 'accept')).status).toBe(200);
    });
});
