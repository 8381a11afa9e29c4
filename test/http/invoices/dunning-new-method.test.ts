import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { aDebtor, type Debtor, FIRST_CHARGE_EVENTS, toNextRetry } from '#test/http/invoices/dunning.support.ts';
import { changeSubscription, savedCard } from '#test/support/billing.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, arrange, drain } from '#test/support/payment-steps.ts';

/** Soft declines after which the provider asks for another payment method: the same one is not charged again. */

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host?.close());

const YEARLY = { interval: 'yearly' };
const ENDED = { ...FIRST_CHARGE_EVENTS, 'payment.failed': 1, 'invoice.failed': 1, 'subscription.paused': 1 };
const attemptsOf = ({ attempts }: Body) => attempts.map(({ status, failure }: Body) => [status, failure?.code ?? null]);

/** Stripe's code asks for a call to the issuer; the card network's advice 40 says that a card cannot be reloaded. */
const REASONS = ['call_issuer', 'insufficient_funds:40'] as const;

const declinedFor = (reason: string): Promise<Debtor> => aDebtor(host, `decline_${reason}`, YEARLY);

describe.each(REASONS)('a subscription whose charge is declined with %s', (reason) => {
  it('is paused at once, its invoice fails, and the same card is never charged again', async () => {
    const debtor = await declinedFor(reason);
    const failure = { category: 'soft_decline', retryable: true };
    expect(await debtor.payment()).toMatchObject({ status: 'failed', failure });
    expect(await debtor.invoice()).toMatchObject({ status: 'failed', attempts: 1, next_retry_at: null });
    expect((await debtor.subscription()).status).toBe('paused');
    expect(await debtor.events()).toEqual(ENDED);
    await advance(host, '30d');
    await drain(host);
    expect((await debtor.payments()).map(({ attempts }: Body) => attempts.length)).toEqual([1]);
    expect(await debtor.taken()).toEqual([[0, 0]]);
  });

  it('goes on with a new method: the invoice is paid by a retry, and the subscription resumes', async () => {
    const debtor = await declinedFor(reason);
    const card = { payment_method: savedCard('pm_card_mastercard') };
    expect((await changeSubscription(host, debtor, card, debtor.how)).status).toBe(200);
    const { status, body } = await debtor.retry();
    expect([status, body.status]).toEqual([200, 'paid']);
    const resumed = await host.call('POST', `/v1/subscriptions/${debtor.id}/resume`, undefined, debtor.how);
    expect([resumed.status, resumed.body.status]).toEqual([200, 'active']);
  });
});

it('a card whose holder has called the issuer is charged again when the merchant asks for it', async () => {
  await arrange(host, 'decline:call_issuer', { times: 1 });
  const debtor = await aDebtor(host, 'pm_card_visa', YEARLY);
  expect((await debtor.invoice()).status).toBe('failed');
  const { status, body } = await debtor.retry();
  expect([status, body.status]).toEqual([200, 'paid']);
});

it('a due retry does not charge a card that the merchant has tried in vain since', async () => {
  const debtor = await aDebtor(host, undefined, YEARLY);
  await arrange(host, 'decline:call_issuer', { times: 1 });
  await act(host, (await debtor.payment()).id, 'retry', undefined, debtor.how);
  expect((await debtor.invoice()).status).toBe('open');
  await toNextRetry(host, debtor);
  expect([(await debtor.invoice()).status, (await debtor.subscription()).status]).toEqual(['failed', 'paused']);
  expect((await debtor.payments()).map(attemptsOf)).toEqual([
    [
      ['failed', 'insufficient_funds'],
      ['failed', 'call_issuer'],
    ],
  ]);
});
