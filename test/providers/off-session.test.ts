import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { PROVIDERS, PSPS } from '#shared/psp/providers.ts';
import { callsMade, describePoint, receiveEvents } from '#test/faults/crash-sweep.support.ts';
import { type BilledSubscription, before, ledgerOf, verifyLedger } from '#test/faults/renewals.support.ts';
import { walkThrough } from '#test/providers/browser.ts';
import {
  changeSubscription,
  endSubscriptions,
  goTo,
  invoicesOf,
  paymentsOf,
  subscribe,
  subscriptionOf,
} from '#test/support/billing.ts';
import { type Body, HANG_UP_AFTER_MS, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, callsAbout, drain, moneyOf } from '#test/support/payment-steps.ts';

/**
 * Subscriptions at every provider of the registry, each paid with that provider's saved method alone, from the first
 * charge to the books.
 */

/**
 * Whether she can be asked where her bank wants her after all: by the answer itself, by the attempt that follows its
 * decline, or not at all.
 */
type Wanted = 'is asked at once' | 'is asked after a decline' | 'is declined, and planned again';

type Row = {
  /** Where EUR is not among its currencies. */
  readonly currency?: string;
  /** A saved method that carries one of the simulators' words; the bare word where nothing is said. */
  readonly saved?: (word: string) => unknown;
  /** Beside the usual words, its own for a method that nobody is charged with any more. */
  readonly gone?: Readonly<Record<string, unknown>>;
  /** What becomes of a charge with a method whose word says that its bank wants the customer. */
  readonly wanted: Readonly<Record<string, Wanted>>;
  /** The same of methods of another kind, whose refusal is another matter. */
  readonly wantedToo?: Readonly<Record<string, { readonly token: unknown; readonly becomes: Wanted }>>;
};

/** Her bank declines for the lack of her, and would decline again where she is there. */
const DECLINE = 'decline_authentication_required';

/** What differs from provider to provider. */
const ROWS: Readonly<Record<Provider, Row>> = {
  stripe: { wanted: { needs_3ds: 'is asked after a decline', [DECLINE]: 'is declined, and planned again' } },
  adyen: { wanted: { needs_3ds: 'is asked after a decline', [DECLINE]: 'is declined, and planned again' } },
  checkout: { wanted: { needs_3ds: 'is asked after a decline', [DECLINE]: 'is declined, and planned again' } },
  mollie: {
    saved: (mandate) => ({ customer: 'cst_1', mandate }),
    gone: { 'a mandate that its customer took back': { customer: 'cst_1', mandate: 'mdt_revoked' } },
    // Its page lets her choose another card.
    wanted: { needs_3ds: 'is asked after a decline', [DECLINE]: 'is asked after a decline' },
  },
  paypal: {
    gone: { 'an agreement that was canceled': { vault_id: 'decline_authorization_revoked', source: 'paypal' } },
    wanted: { needs_3ds: 'is asked after a decline', [DECLINE]: 'is declined, and planned again' },
    wantedToo: {
      'an account': { token: { vault_id: 'needs_3ds', source: 'paypal' }, becomes: 'is asked after a decline' },
    },
  },
  paystack: {
    currency: 'NGN',
    gone: { 'a code that there is not any more': 'gone' },
    wanted: { needs_3ds: 'is asked at once', [DECLINE]: 'is declined, and planned again' },
  },
  flutterwave: { wanted: { needs_3ds: 'is asked at once', [DECLINE]: 'is declined, and planned again' } },
  razorpay: {
    currency: 'INR',
    saved: (token) => ({ token, customer_id: 'cust_1', contact: '+919000090000', email: 'kim@example.com' }),
    wanted: { needs_3ds: 'is asked after a decline', [DECLINE]: 'is declined, and planned again' },
  },
};

const AMOUNT = 1_990;

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ hangUpAfterMs: HANG_UP_AFTER_MS, demoProviders: PROVIDERS });
  await receiveEvents(host, 'shop');
  const policy = await host.call('POST', '/v1/policies/retry', { delays: ['6h', '12h'], max_retries: 2 });
  expect(policy.status, policy.text).toBe(200);
});
afterEach(async () => {
  await host.control('DELETE', '/psp/scenario');
  await host.control('DELETE', '/faults');
  await endSubscriptions(host);
});
afterAll(() => host?.close());

const hoursAfter = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * 3_600_000).toISOString();
const shownAttempts = ({ attempts }: Body) =>
  attempts.map(({ status, failure }: Body) => [status, failure?.code ?? null]);
const outcomes = ({ invoices }: BilledSubscription) => invoices.map(({ status, attempts }) => [status, attempts]);

/** Every subscription of this file. */
const made: Body[] = [];

describe.each(PROVIDERS)('%s', (provider) => {
  const { capabilities, isReusableToken, unknownOutcome } = PSPS[provider]!;
  const row = ROWS[provider];
  const { saved = (word: string): unknown => word, wanted = {}, wantedToo = {}, gone = {} } = row ?? {};
  const currency =
    row?.currency ??
    (capabilities.currencies === 'all' || capabilities.currencies.includes('EUR') ? 'EUR' : capabilities.currencies[0]);

  const methodOf = (token: unknown) => ({
    type: 'card',
    tokens: { [provider]: token },
    return_url: 'https://shop.example/account',
  });
  const aSubscriber = async (word: string, more: Body = {}): Promise<Body> => {
    const subscription = await subscribe(host, {
      currency,
      customer_email: 'kim@example.com',
      payment_method: methodOf(saved(word)),
      ...more,
    });
    made.push(subscription);
    return subscription;
  };
  const arrange = async (behaviour: string, more: Body = {}) => {
    const answer = await host.control('POST', '/psp/scenario', { provider, behaviour, ...more });
    expect(answer.status, answer.text).toBe(200);
  };
  const arm = async (token: unknown, subscription: Body) => {
    const answer = await changeSubscription(host, subscription, { payment_method: methodOf(token) });
    expect(answer.status, answer.text).toBe(200);
  };
  /** With its first period paid, and then `prepare`d for the second, which begins now. */
  const aRenewal = async (prepare: (subscription: Body) => Promise<unknown>): Promise<Body> => {
    const subscription = await aSubscriber('ok');
    await prepare(subscription);
    await goTo(host, subscription.next_renewal_at);
    return subscription;
  };
  const lastOf = async (list: Promise<Body[]>): Promise<Body> => (await list).at(-1);
  const invoiceOf = (subscription: Body) => lastOf(invoicesOf(host, subscription));
  const paymentOf = (subscription: Body) => lastOf(paymentsOf(host, subscription));
  const billedOf = async (subscription: Body, where = provider): Promise<BilledSubscription> =>
    verifyLedger(host, subscription, await ledgerOf(host), where);
  const verifyTaken = async ({ id }: Body) =>
    expect(await moneyOf(host, id)).toEqual({ amount: AMOUNT, refunded: 0, currency, count: 1 });
  /** How many calls a charge takes, the last of which takes the money. */
  const callsToCharge = async (subscription: Body): Promise<number> =>
    (await callsAbout(host, (await paymentOf(subscription)).id)).filter(({ operation }) => operation === 'create')
      .length;
  /** No callback tells of them: one that overtakes its answer, or brings what no answer brought, is another test's. */
  const withoutCallbacks = (times: number) => arrange('slow:1', { webhook: 'none', times });

  if (!capabilities.off_session)
    return it('is not chosen for a customer who is away', async () => {
      const payment = await paymentOf(await aSubscriber('ok'));
      expect(payment).toMatchObject({ status: 'failed', failure: { code: 'no_route' }, attempts: [] });
      expect(payment.routing.considered).toContainEqual(
        expect.objectContaining({ reason: 'off_session_not_supported' }),
      );
    });

  const unknown = row
    ? !isReusableToken(saved('ok') as string, 'card') &&
      `Say in the row of ${provider} what its saved methods look like: this one is none.`
    : `Add a row for ${provider}: what its saved methods look like, and what becomes of a charge where the bank wants the customer.`;
  if (unknown) return it('is charged while the customer is away', () => expect.fail(unknown));

  it('is chosen among all for its saved method, and charges it in the first period and in the next, once each', async () => {
    const subscription = await aRenewal(async () => undefined);
    const billed = await billedOf(subscription);
    expect(outcomes(billed)).toEqual([
      ['paid', 1],
      ['paid', 1],
    ]);
    for (const payment of billed.payments) {
      expect(payment).toMatchObject({
        status: 'succeeded',
        provider,
        amount: AMOUNT,
        currency,
        attempts: [{ status: 'succeeded' }],
      });
      const refused = payment.routing.considered.filter(({ reason }: Body) => reason !== null);
      expect(refused).toHaveLength(PROVIDERS.length - 1);
      await verifyTaken(payment);
    }
    expect(billed.subscription).toMatchObject({ status: 'active', next_renewal_at: expect.any(String) });
  });

  describe('a decline for now', () => {
    const CHANGES: readonly (readonly [
      string,
      (subscription: Body) => Promise<unknown>,
      (subscription: Body) => Promise<unknown>,
    ])[] = [
      [
        'the account was filled',
        () => arrange('decline:insufficient_funds', { times: 20 }),
        () => host.control('DELETE', '/psp/scenario'),
      ],
      ['another card was given', (s) => arm(saved('decline_insufficient_funds'), s), (s) => arm(saved('ok'), s)],
    ];
    it.each(CHANGES)(
      'is followed by a try as the policy has it, which is paid where %s',
      async (_, declined, mended) => {
        const subscription = await aRenewal(declined);
        const payment = await paymentOf(subscription);
        expect(payment).toMatchObject({
          status: 'failed',
          failure: { code: 'insufficient_funds', category: 'soft_decline', retryable: true },
        });
        const invoice = await invoiceOf(subscription);
        expect(invoice).toMatchObject({
          status: 'open',
          attempts: 1,
          next_retry_at: hoursAfter(invoice.updated_at, 6),
        });
        expect((await moneyOf(host, payment.id)).count).toBe(0);
        await mended(subscription);
        await goTo(host, invoice.next_retry_at);
        const billed = await billedOf(subscription);
        expect(outcomes(billed)).toEqual([
          ['paid', 1],
          ['paid', 2],
        ]);
        expect(shownAttempts(billed.payments[1])).toEqual([
          ['failed', 'insufficient_funds'],
          ['succeeded', null],
        ]);
        expect(billed.eventCounts).toMatchObject({ 'payment.failed': 1 });
        await verifyTaken(payment);
      },
    );
  });

  const GONE: Readonly<Record<string, unknown>> = {
    'a mandate that was revoked': saved('decline_authorization_revoked'),
    'a card that was lost': saved('decline_lost_card'),
    ...gone,
  };
  it.each(Object.entries(GONE))('a decline for good (%s) fails the invoice at once and pauses', async (_, token) => {
    const subscription = await aRenewal((s) => arm(token, s));
    const payment = await paymentOf(subscription);
    expect(payment).toMatchObject({
      status: 'failed',
      failure: { category: 'hard_decline' },
      attempts: [{ status: 'failed' }],
    });
    await advance(host, '40d');
    const billed = await billedOf(subscription);
    expect([outcomes(billed), billed.subscription.status]).toEqual([
      [
        ['paid', 1],
        ['failed', 1],
      ],
      'paused',
    ]);
    expect(billed.invoices[1]).toMatchObject({ next_retry_at: null, updated_at: billed.subscription.updated_at });
    expect(billed.eventCounts).toMatchObject({ 'payment.failed': 1, 'invoice.failed': 1, 'subscription.paused': 1 });
    expect((await moneyOf(host, payment.id)).count).toBe(0);
  });

  const WANTED = [
    ...Object.entries(wanted).map(([word, becomes]) => [word, saved(word), becomes] as const),
    ...Object.entries(wantedToo).map(([what, { token, becomes }]) => [what, token, becomes] as const),
  ];
  describe.each(WANTED)('a customer whom her bank wants (%s)', (what, token, becomes) => {
    const declined = async (): Promise<Body> => {
      const subscription = await aSubscriber('ok');
      await arm(token, subscription);
      if (becomes !== 'is asked at once') await withoutCallbacks(await callsToCharge(subscription));
      await goTo(host, subscription.next_renewal_at);
      await host.control('DELETE', '/psp/scenario');
      return subscription;
    };
    const verifyPlanned = async (subscription: Body) => {
      const invoice = await invoiceOf(subscription);
      expect(invoice).toMatchObject({ status: 'open', attempts: 1, next_retry_at: hoursAfter(invoice.updated_at, 6) });
      await arm(saved('ok'), subscription);
      await goTo(host, invoice.next_retry_at);
      const billed = await billedOf(subscription);
      expect(outcomes(billed)[1]).toEqual(['paid', 2]);
      await verifyTaken(billed.payments[1]);
    };

    if (becomes === 'is declined, and planned again')
      return it(becomes, async () => {
        const subscription = await declined();
        const payment = await paymentOf(subscription);
        expect(payment).toMatchObject({ status: 'failed', next_action: null, failure: { category: 'soft_decline' } });
        // The attempt that would ask her is declined as well.
        expect(shownAttempts(payment)).toEqual([
          ['failed', 'authentication_required'],
          ['failed', payment.failure.code],
        ]);
        await verifyPlanned(subscription);
      });

    const asked = async (): Promise<readonly [Body, Body]> => {
      const subscription = await declined();
      const payment = await paymentOf(subscription);
      expect(payment).toMatchObject({
        status: 'requires_action',
        next_action: { type: 'redirect', url: expect.stringMatching(/^http/) },
      });
      const followed = [['failed', 'authentication_required']].slice(becomes === 'is asked at once' ? 1 : 0);
      expect(shownAttempts(payment)).toEqual([...followed, ['requires_action', null]]);
      expect(await invoiceOf(subscription)).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
      return [subscription, payment];
    };
    it(`${becomes}, and has paid when she was there`, async () => {
      const [subscription, payment] = await asked();
      const back = new URL(await walkThrough(payment.next_action));
      expect([back.origin + back.pathname, back.searchParams.get('payment_id')]).toEqual([
        'https://shop.example/account',
        payment.id,
      ]);
      await drain(host);
      expect(outcomes(await billedOf(subscription))[1]).toEqual(['paid', 1]);
      await verifyTaken(payment);
    });
    if (Object.hasOwn(wanted, what))
      it(`${becomes}, and is tried again as the policy has it where she refuses`, async () => {
        const [subscription, payment] = await asked();
        await host.control('POST', '/psp/complete', { provider, reference: payment.id, outcome: 'failed' });
        await drain(host);
        // Who tells of successes alone is looked at when she is back in the shop.
        if ((await paymentOf(subscription)).status === 'requires_action') await act(host, payment.id, 'confirm', {});
        await drain(host);
        expect((await paymentOf(subscription)).status).toBe('failed');
        await verifyPlanned(subscription);
      });
  });

  it('charges once, whichever call to the provider its worker dies at or hears nothing of', async () => {
    // Days ahead each, in two steps. The first settles what came before, the look-up a day after a charge among it. By
    // the second, a login that is kept for hours has expired.
    const starting = async (): Promise<Body> => {
      const subscription = await aSubscriber('ok', { start_at: hoursAfter(host.clock.now().toISOString(), 48) });
      await advance(host, '36h');
      await goTo(host, before(subscription.start_at));
      return subscription;
    };
    const probe = await starting();
    const toProvider = (await callsMade(host, 'renewals', () => goTo(host, probe.start_at))).filter(
      ({ point }) => point === 'psp',
    );
    const calls = toProvider.length;
    expect(calls).toBeGreaterThan(0);
    const faults = toProvider.flatMap(({ point, nth, method }) => [
      { point, nth, method, kind: 'crash', when: 'before' } as const,
      { point, nth, method, kind: 'crash', when: 'after' } as const,
      { point, nth, method, kind: 'error', when: 'after' } as const,
    ]);
    const struck: (readonly [Body, where: string, tries: readonly number[]])[] = [];
    for (const { kind, method, ...fault } of faults) {
      const where = `${provider}: ${kind} ${describePoint({ ...fault, method })}`;
      const subscription = await starting();
      await withoutCallbacks(20);
      await host.control('POST', '/faults', { ...fault, kind, handler: 'renewals' });
      await goTo(host, subscription.start_at);
      expect(host.faults.waiting, where).toEqual([]);
      await host.control('DELETE', '/psp/scenario');
      // Where a charge may not be sent twice, and none is found, it has failed; so may one have whose login was not
      // answered.
      const isLost = fault.when === 'before' && fault.nth === calls && unknownOutcome.ifNotFound === 'failed';
      const triesOfOthers = kind === 'error' && fault.nth < calls ? [1, 2] : [1];
      struck.push([subscription, where, isLost ? [2] : triesOfOthers]);
    }
    await advance(host, '1d');
    const books = await ledgerOf(host);
    for (const [subscription, where, tries] of struck) {
      const { invoices, payments } = await verifyLedger(host, subscription, books, where);
      expect(invoices, where).toMatchObject([{ status: 'paid' }]);
      expect(tries, where).toContain(invoices[0].attempts);
      await verifyTaken(payments[0]);
    }
  });

  it('is charged once and paid in the end where the charge was made and nothing was answered', async () => {
    const subscription = await aSubscriber('ok');
    const calls = await callsToCharge(subscription);
    if (calls > 1) await withoutCallbacks(calls - 1);
    await arrange('timeout_after_charge', { webhook: 'none' });
    await goTo(host, subscription.next_renewal_at);
    const payment = await paymentOf(subscription);
    expect(await moneyOf(host, payment.id)).toMatchObject({ count: 1 });
    expect([payment.status, payment.attempts.length]).toEqual(['processing', 1]);
    expect(await invoiceOf(subscription)).toMatchObject({ status: 'open', attempts: 1, next_retry_at: null });
    await advance(host, '1d');
    const billed = await billedOf(subscription);
    expect(outcomes(billed)[1]).toEqual(['paid', 1]);
    await verifyTaken(payment);
    expect((await subscriptionOf(host, subscription)).status).toBe('active');
  });
});

it('in the books of all of them is what the paid invoices are over, and nothing else', async () => {
  const invoices = (await Promise.all(made.map((subscription) => invoicesOf(host, subscription)))).flat();
  const { charges } = (await host.control('GET', '/psp/calls')).body;
  const paid = invoices.filter(({ status }) => status === 'paid');
  expect(Object.keys(charges).toSorted()).toEqual(paid.map(({ payment_id }) => payment_id).toSorted());
  for (const { payment_id, currency } of paid)
    expect(charges[payment_id]).toEqual({ amount: AMOUNT, refunded: 0, currency, count: 1 });
  expect(paid.length).toBeGreaterThanOrEqual(made.length);
});
