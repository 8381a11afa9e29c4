import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Scenario } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { walkThrough } from '#test/providers/browser.ts';
import { type ApiResponse, type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, drain, eventTypesOf, moneyOf, read } from '#test/support/payment-steps.ts';

/** What differs from PSP to PSP in the same cases. */
export type Traits = {
  readonly provider: Provider;
  /** What most payments here are made in. */
  readonly currency: string;
  /** A token that carries one of the simulators' words; default: the word. */
  readonly token?: (word: string) => unknown;
  /** What it wants beside a token. */
  readonly beside?: Readonly<Record<string, string>>;
  /** Our failure codes that the PSP can tell apart; what it does not is left out. At least one of each class. */
  readonly declines: readonly string[];
  /** What a cancel of a payment that waits for its customer is answered. `refused`: the PSP has no such call. */
  readonly cancel: 'canceled' | 'accepted' | 'refused';
  /** What becomes of a charge that certainly never arrived. */
  readonly neverArrived: 'sent_again' | 'failed';
  /** Whether the PSP tells the account's name. */
  readonly named?: true;
  /** False where a refund that has succeeded never fails afterwards. */
  readonly refundFailsLater?: false;
  /**
   * Whether the bank's page of a stored card leads back to the shop; where it does not, its customer is told to close
   * it.
   */
  readonly bankLeadsBack?: false;
  /** Amounts in currencies without and with three decimals; undefined where the PSP takes none. */
  readonly noDecimals?: string;
  readonly threeDecimals?: string;
  /** One it refuses to express, so that no connection of it is used. */
  readonly inexpressible?: { readonly amount: number; readonly currency: string };
};

const AMOUNT = 5_000;

/** The word that a payment's outcome hangs on travels in its token; without one the customer goes to the PSP's page. */
export const bodyOf = (
  { currency, token = (word) => word, beside }: Traits,
  word: string | null,
  more: Body = {},
): Body => ({
  amount: AMOUNT,
  currency,
  customer_email: 'kim@example.com',
  ...(word !== null && { payment_method: { type: 'card', token: token(word), ...beside } }),
  ...more,
});

/** The same cases for every PSP, over HTTP, against its simulator. */
export function describeJourneys(traits: Traits): void {
  const { provider } = traits;
  let host: TestHost;
  beforeAll(async () => {
    host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: [provider] });
  });
  afterEach(() => host.control('DELETE', '/psp/scenario'));
  afterAll(() => host?.close());

  const arrange = async (behaviour: string, more: Partial<Scenario> = {}) => {
    const answer = await host.control('POST', '/psp/scenario', { provider, behaviour, ...more });
    expect(answer.status).toBeLessThan(300);
  };
  const create = (word: string | null, more: Body = {}): Promise<ApiResponse> =>
    host.call('POST', '/v1/payments', bodyOf(traits, word, more));
  const pay = async (word: string | null = 'ok', more: Body = {}): Promise<Body> => {
    const answer = await create(word, more);
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  /** The payment when everything that was on its way has arrived. */
  const later = async ({ id }: Body): Promise<Body> => {
    await drain(host);
    return read(host, id);
  };
  const complete = async (reference: string, outcome: 'succeeded' | 'failed') => {
    const answer = await host.control('POST', '/psp/complete', { provider, reference, outcome });
    expect(answer.status, answer.text).toBeLessThan(300);
    await drain(host);
  };
  const money = ({ id }: Body) => moneyOf(host, id);
  const events = ({ id }: Body) => eventTypesOf(host, id);
  const verifyPaid = async (payment: Body) => {
    expect(await read(host, payment.id)).toMatchObject({
      status: 'succeeded',
      provider,
      failure: null,
      review: null,
      late_success: false,
    });
    expect(await money(payment)).toMatchObject({
      amount: payment.amount,
      refunded: 0,
      currency: payment.currency,
      count: 1,
    });
    expect(await events(payment)).toEqual(['created', 'succeeded']);
  };

  describe('a payment', () => {
    it('is approved, once', async () => {
      const payment = await pay();
      await drain(host);
      await verifyPaid(payment);
      expect((await read(host, payment.id)).psp_reference).toMatch(/./);
    });

    it.each(traits.declines)('is declined: %s', async (code) => {
      const payment = await later(await pay(`decline_${code}`));
      expect(payment).toMatchObject({ status: 'failed', failure: { code } });
      expect([(await money(payment)).count, await events(payment)]).toEqual([0, ['created', 'failed']]);
    });

    it('of a customer who must authenticate waits for that, and is paid then', async () => {
      const payment = await pay('needs_3ds');
      expect(payment).toMatchObject({
        status: 'requires_action',
        next_action: { type: 'redirect', url: expect.stringMatching(/^http/) },
      });
      expect((await money(payment)).count).toBe(0);
      await complete(payment.id, 'succeeded');
      await verifyPaid(payment);
    });

    it.each(['succeeded', 'failed'] as const)('on the provider’s page that ends as %s is that', async (outcome) => {
      const payment = await pay(null);
      expect(payment).toMatchObject({
        status: 'requires_action',
        next_action: { type: 'redirect', url: expect.stringMatching(/^http/) },
      });
      await complete(payment.id, outcome);
      await advance(host, '25h');
      const ended = await later(payment);
      expect([ended.status, (await money(payment)).count]).toEqual([outcome, outcome === 'succeeded' ? 1 : 0]);
    });

    const ways: readonly (readonly [string, string | null])[] = [
      ['on the provider’s page', null],
      ['of a customer who must authenticate', 'needs_3ds'],
    ];
    it.each(ways.filter(([, word]) => word === null || traits.bankLeadsBack !== false))(
      '%s brings her back to the shop when she is through',
      async (_, word) => {
        const { payment_method = { type: 'card' } } = bodyOf(traits, word);
        const payment = await pay(word, {
          payment_method: { ...payment_method, return_url: 'https://shop.example/thanks?order=7' },
        });
        const back = new URL(await walkThrough(payment.next_action));
        expect([back.origin, back.searchParams.get('order'), back.searchParams.get('payment_id')]).toEqual([
          'https://shop.example',
          '7',
          payment.id,
        ]);
        expect(['succeeded', 'processing', 'requires_action']).toContain(back.searchParams.get('status'));
        await drain(host);
        await verifyPaid(payment);
      },
    );

    it('on a page that nobody finishes has expired after a day', async () => {
      const payment = await pay(null);
      await advance(host, '25h');
      expect(await later(payment)).toMatchObject({ status: 'failed', failure: { code: 'expired' } });
    });

    it('that is pending is paid when the provider says so', async () => {
      const payment = await later(await pay('pending'));
      expect(payment.status).toBe('processing');
      await complete(payment.id, 'succeeded');
      await verifyPaid(payment);
    });

    it('of another amount than was asked for is no success', async () => {
      await arrange('wrong_amount');
      const payment = await later(await pay());
      expect(payment).toMatchObject({ status: 'processing', review: { reason: 'amount_mismatch' } });
    });
  });

  describe.each([
    ['without decimals', traits.noDecimals],
    ['with three decimals', traits.threeDecimals],
  ])('a currency %s', (_, currency) => {
    it(currency ? 'is taken to the unit' : 'is not taken here, which is said', async () => {
      if (currency) return verifyPaid(await later(await pay('ok', { currency })));
      const tried = _ === 'without decimals' ? 'JPY' : 'KWD';
      expect(await later(await pay('ok', { currency: tried }))).toMatchObject({
        status: 'failed',
        failure: { code: 'no_route' },
      });
    });
  });

  if (traits.inexpressible)
    it('an amount that it can’t express is never rounded', async () => {
      const payment = await pay('ok', traits.inexpressible);
      expect(payment).toMatchObject({
        status: 'failed',
        failure: { code: 'no_route' },
        routing: { considered: [{ reason: expect.stringMatching(/not_supported/) }] },
      });
    });

  describe('without a readable answer', () => {
    it.each(['timeout_after_charge', 'garbage'])('%s: the charge is found, and made once', async (behaviour) => {
      await arrange(behaviour, { webhook: 'none' });
      const payment = await pay();
      expect([payment.status, payment.attempts.length]).toEqual(['processing', 1]);
      await advance(host, '12m');
      await verifyPaid(payment);
    });

    it(`timeout_before_charge: the charge is ${traits.neverArrived === 'failed' ? 'given up, and never made' : 'sent again, and made once'}`, async () => {
      await arrange('timeout_before_charge', { webhook: 'none' });
      const payment = await pay();
      expect(payment.status).toBe('processing');
      await advance(host, '12m');
      if (traits.neverArrived === 'sent_again') return verifyPaid(payment);
      expect(await later(payment)).toMatchObject({ status: 'failed', failure: { code: 'provider_unavailable' } });
      expect((await money(payment)).count).toBe(0);
    });

    it('http_500: what the payment says is what the money says', async () => {
      await arrange('http_500', { webhook: 'none' });
      const payment = await pay();
      expect(payment.status).toBe('processing');
      await advance(host, '9d');
      const ended = await later(payment);
      expect((await money(payment)).count).toBe(ended.status === 'succeeded' ? 1 : 0);
      expect([ended.status, ended.review?.reason ?? ended.failure?.code ?? null]).toEqual(
        ended.status === 'succeeded'
          ? ['succeeded', null]
          : [ended.status, expect.stringMatching(/no_verdict|provider_unavailable/)],
      );
    });

    it.each(['refuse_connection', 'rate_limited'])('%s: certainly nothing was charged', async (behaviour) => {
      await arrange(behaviour);
      const payment = await pay();
      expect(payment).toMatchObject({ status: 'failed', failure: { code: 'provider_unavailable', retryable: true } });
      expect((await money(payment)).count).toBe(0);
      await act(host, payment.id, 'retry', { payment_method: bodyOf(traits, 'ok').payment_method });
      expect([(await later(payment)).status, (await money(payment)).count]).toEqual(['succeeded', 1]);
    });
  });

  describe('a refund', () => {
    it('of a part and then of the rest gives back all, once', async () => {
      const payment = await later(await pay());
      await act(host, payment.id, 'refund', { amount: 2_000 });
      await drain(host);
      await advance(host, '30m');
      expect(await later(payment)).toMatchObject({
        status: 'succeeded',
        amount_refunded: 2_000,
        refunds: [{ status: 'succeeded' }],
      });
      await act(host, payment.id, 'refund');
      await drain(host);
      await advance(host, '30m');
      expect(await later(payment)).toMatchObject({ status: 'refunded', amount_refunded: AMOUNT });
      expect(await money(payment)).toMatchObject({ refunded: AMOUNT, count: 1 });
      expect(await events(payment)).toEqual(['created', 'succeeded', 'refunded', 'refunded']);
    });

    it.each(['timeout_after_charge', 'timeout_before_charge', 'garbage'])(
      'without a readable answer (%s) is made once',
      async (behaviour) => {
        const payment = await later(await pay());
        await arrange(behaviour, { match: { operation: 'refund' }, webhook: 'none' });
        await act(host, payment.id, 'refund', { amount: 2_000 });
        await drain(host);
        await advance(host, '30m');
        expect([(await later(payment)).refunds.length, (await money(payment)).refunded]).toEqual([1, 2_000]);
      },
    );

    it('that the provider declines has failed, and leaves the payment as it was', async () => {
      const payment = await later(await pay());
      await arrange('decline:card_declined', { match: { operation: 'refund' } });
      await act(host, payment.id, 'refund', { amount: 2_000 });
      await drain(host);
      await advance(host, '30m');
      expect(await later(payment)).toMatchObject({
        status: 'succeeded',
        amount_refunded: 0,
        refunds: [{ status: 'failed' }],
      });
      expect((await money(payment)).refunded).toBe(0);
    });

    it.each(['succeeded', 'failed'] as const)('that is pending and then %s is that', async (outcome) => {
      const payment = await later(await pay());
      await arrange('pending', { match: { operation: 'refund' } });
      const { refunds } = (await act(host, payment.id, 'refund', { amount: 2_000 })).body;
      expect(await later(payment)).toMatchObject({ amount_refunded: 0, refunds: [{ status: 'pending' }] });
      await complete(refunds[0].psp_reference, outcome);
      await advance(host, '30m');
      expect(await later(payment)).toMatchObject({
        amount_refunded: outcome === 'succeeded' ? 2_000 : 0,
        refunds: [{ status: outcome }],
      });
    });
  });

  if (traits.refundFailsLater !== false)
    it('a refund that fails after it had succeeded is taken back', async () => {
      const payment = await later(await pay());
      const { refunds } = (await act(host, payment.id, 'refund')).body;
      await drain(host);
      await advance(host, '30m');
      expect(await later(payment)).toMatchObject({ status: 'refunded', amount_refunded: AMOUNT });
      await complete(refunds[0].psp_reference, 'failed');
      expect(await later(payment)).toMatchObject({
        status: 'succeeded',
        amount_refunded: 0,
        refunds: [{ status: 'failed' }],
      });
      expect((await money(payment)).refunded).toBe(0);
    });

  it('the account is validated with its name, where the provider tells one', async () => {
    const { connections } = (await host.control('GET', '/info')).body;
    const answer = await host.call('POST', `/v1/connections/${connections[provider]}/validate`);
    expect(answer).toMatchObject({
      status: 200,
      body: { last_validation_status: 'valid', name_match_status: traits.named ? 'match' : 'unknown' },
    });
  });

  describe('a cancel', () => {
    it(`of a payment that waits for its customer is ${traits.cancel}`, async () => {
      const payment = await pay('needs_3ds');
      const answer = await act(host, payment.id, 'cancel');
      if (traits.cancel === 'refused') {
        expect(answer).toMatchObject({ status: 409, body: { code: 'payment_not_cancelable' } });
        expect((await later(payment)).status).toBe('requires_action');
        return;
      }
      expect(answer.status, answer.text).toBe(200);
      await advance(host, '5m');
      expect([(await later(payment)).status, await events(payment), (await money(payment)).count]).toEqual([
        'canceled',
        ['created', 'canceled'],
        0,
      ]);
    });

    if (traits.cancel === 'canceled')
      it('that money overtakes gives it back once', async () => {
        const payment = await pay('needs_3ds');
        expect((await act(host, payment.id, 'cancel')).body.status).toBe('canceled');
        const paid = await host.control('POST', '/psp/complete', {
          provider,
          reference: payment.id,
          outcome: 'succeeded',
        });
        await drain(host);
        await advance(host, '30m');
        const { amount = 0, refunded = 0, count = 0 } = await money(payment);
        expect([(await later(payment)).status, amount - refunded], paid.text).toEqual(['canceled', 0]);
        expect(count).toBeLessThanOrEqual(1);
        expect((await read(host, payment.id)).refunds).toMatchObject(
          count === 1 ? [{ status: 'succeeded', reason: 'after_cancel', amount: AMOUNT }] : [],
        );
      });
  });

  describe('callbacks', () => {
    it.each(['duplicate', 'reordered', 'early', 'late:20', 'none'])(
      '%s: the payment and its events are the same',
      async (webhook) => {
        await arrange('approve', { webhook });
        const payment = await pay();
        await drain(host);
        await advance(host, '30m');
        await verifyPaid(payment);
      },
    );

    it('of nobody are refused, or looked into where they carry no proof', async () => {
      const sent = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: randomUUID() }),
      };
      const answer = await fetch(`${host.info.function_url}/webhooks/${provider}`, sent);
      expect([200, 400, 401]).toContain(answer.status);
    });
  });
}
