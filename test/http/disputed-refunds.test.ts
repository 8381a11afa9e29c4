import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  aConnection,
  anOrganization,
  type Body,
  type CallOptions,
  startHost,
  type TestHost,
} from '#test/support/host.ts';
import { act, advance, drain, moneyOf, payOnPage, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const shown = ({ refunds }: Body) =>
  refunds.map(({ amount, status, failure }: Body) => [amount, status, failure?.code]);

/** A payment that is paid on two pages. The refund of the second charge is declined, and then the charge is disputed. */
type PaidTwice = {
  readonly id: string;
  readonly payment: Body;
  readonly cancel: () => Promise<Body>;
  readonly bank: (step: 'won' | 'lost') => Promise<Body>;
};

async function disputedTwice(provider: string, amount: number): Promise<PaidTwice> {
  const org = await anOrganization(host);
  const how: CallOptions = { key: org.key };
  await aConnection(host, org, { id: 'a', provider });
  const complete = ({ psp_reference: reference }: Body) =>
    host.control('POST', '/psp/complete', { provider, reference, outcome: 'succeeded' });
  const first = await payOnPage(host, {}, how);
  await advance(host, '26h');
  const { body: second } = await act(host, first.id, 'retry', undefined, how);
  const declined = { behaviour: 'decline:card_declined', match: { operation: 'refund' }, times: 1 };
  await host.control('POST', '/psp/scenario', { provider, ...declined });
  await complete(second);
  await drain(host);
  await complete(first);
  await drain(host);
  const { body: opened } = await host.control('POST', '/psp/disputes', { provider, payment_id: first.id, amount });
  await drain(host);
  return {
    id: first.id,
    payment: await read(host, first.id, how),
    cancel: async () => (await act(host, first.id, 'cancel', undefined, how)).body,
    bank: async (step) => {
      await host.control('POST', '/psp/disputes/move', { provider, reference: opened.reference, step });
      await drain(host);
      await advance(host, '5m');
      return read(host, first.id, how);
    },
  };
}

describe('The automatic refund of a charge that is disputed', () => {
  it.each(['stripe', 'checkout'])(
    'at %s is not sent until the bank has decided, whoever asks for it',
    async (provider) => {
      const { id, payment, cancel, bank } = await disputedTwice(provider, 1_000);
      expect([payment.review.reason, payment.refunds.length]).toEqual(['refund_failed', 1]);
      const waiting = await cancel();
      expect([waiting.status, waiting.review, waiting.amount_disputed]).toEqual(['succeeded', null, 0]);
      expect(shown(waiting)[1]).toEqual([4_000, 'failed', 'charge_disputed']);
      expect([(await cancel()).code, (await moneyOf(host, id)).refunded]).toEqual(['payment_not_cancelable', 0]);
      const won = await bank('won');
      expect([shown(won)[2], won.review]).toEqual([[5_000, 'succeeded', undefined], null]);
      expect((await moneyOf(host, id)).refunded).toBe(5_000);
    },
  );

  it('returns what the bank has not taken, once the dispute is lost', async () => {
    const { id, cancel, bank } = await disputedTwice('checkout', 1_000);
    await cancel();
    const lost = await bank('lost');
    expect([shown(lost)[2], lost.review]).toEqual([[4_000, 'succeeded', undefined], null]);
    expect((await moneyOf(host, id)).refunded).toBe(4_000);
  });

  it('needs nobody while the bank may return all of it, nor when it has', async () => {
    const { id, payment, bank } = await disputedTwice('checkout', 5_000);
    expect(payment.review).toBeNull();
    const lost = await bank('lost');
    expect([shown(lost).length, lost.review, (await moneyOf(host, id)).refunded]).toEqual([1, null, 0]);
  });

  it('goes to review once where the provider refuses the rest as well, and a person ends that', async () => {
    const { id, cancel, bank } = await disputedTwice('stripe', 1_000);
    await cancel();
    const lost = await bank('lost');
    expect([shown(lost)[2], lost.review.reason]).toEqual([[4_000, 'failed', 'charge_disputed'], 'refund_failed']);
    const ended = await cancel();
    expect([ended.review, ended.refunds.length, (await moneyOf(host, id)).refunded]).toEqual([null, 3, 0]);
    expect((await cancel()).code).toBe('payment_not_cancelable');
  });
});
