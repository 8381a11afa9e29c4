import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reserveRefund, settleRefund } from '#shared/domain/payments/refund.machine.ts';
import type { ApiResponse, Body } from '#test/support/host.ts';
import { startHost, type TestHost } from '#test/support/host.ts';
import { act, drain, eventsOf, moneyOf, pay, read } from '#test/support/payment-steps.ts';

/** A payment that goes back in very many parts, as a wallet's or a marketplace's does. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

/** Refunds that were made before, as the store and the provider have them. */
async function withRefunds(count: number): Promise<Body> {
  const { id } = await pay(host, 'ok', { amount: 10_000 });
  await drain(host);
  const { payments, clock } = host.deps;
  let payment = (await payments.byId(id))!;
  for (let n = 0; n < count; n += 1) {
    const refundId = `re_${String(n).padStart(26, '0')}`;
    payment = await payments.change(payment, (p) => {
      const reserved = reserveRefund(p, { id: refundId, amount: 1 }, clock.now());
      const made = settleRefund(reserved, refundId, { kind: 'succeeded', reference: `re_at_psp_${n}` }, clock.now())!;
      return { ...made, outbox: [] };
    });
  }
  return read(host, id);
}

const refundAtOnce = (id: string, count: number): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, () => act(host, id, 'refund', { amount: 1 })));

describe('a payment with very many refunds', () => {
  it('takes sixty more at the same instant', async () => {
    const { id } = await withRefunds(243);
    const answers = await refundAtOnce(id, 60);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await drain(host);
    const seen = await read(host, id);
    expect([seen.amount_refunded, seen.refunds.length]).toEqual([303, 303]);
    expect(new Set(seen.refunds.map(({ psp_reference }: Body) => psp_reference)).size).toBe(303);
    expect((await moneyOf(host, id)).refunded).toBe(60);
    const events = (await eventsOf(host, id)).filter(({ type }) => type === 'payment.refunded');
    expect(new Set(events.map(({ data }) => data.refund.id)).size).toBe(60);
  }, 90_000);

  it('answers with all of them, and gives back the rest', async () => {
    const { id } = await withRefunds(1_300);
    const key = { idempotencyKey: 'the-rest-of-it' };
    const answer = await act(host, id, 'refund', undefined, key);
    expect([answer.status, answer.body.status, answer.body.refunds.length]).toEqual([200, 'refunded', 1_301]);
    expect(answer.body.refunds.at(-1)).toMatchObject({ amount: 8_700, status: 'succeeded' });
    // The answer is too long to be kept for its key: the repeat finds the refund made.
    const again = await act(host, id, 'refund', undefined, key);
    expect([again.status, again.body.refunds.length]).toEqual([200, 1_301]);
    expect((await moneyOf(host, id)).refunded).toBe(8_700);
    expect((await read(host, id)).refunds).toEqual(answer.body.refunds);
  }, 90_000);
});
