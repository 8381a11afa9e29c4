import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, plus, SECOND } from '#shared/kernel/clock.ts';
import {
  aLab,
  comparisonOf,
  editTest,
  type Lab,
  makeTest,
  move,
  OTHER_PATH,
  readTest,
  resultsOf,
  startTest,
  variantsOf,
} from '#test/support/ab-test-steps.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { act, advance, arrange, complete, drain, pay, payAnywhere, read } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

const CONNECTION: Readonly<Record<string, string>> = { A: 'a', B: 'b' };
const customers = (count: number) => Array.from({ length: count }, (_, n) => `customer-${n}`);
const payAs = (lab: Lab, customer_id: string, token = 'ok', more: Body = {}): Promise<Body> =>
  pay(host, token, { customer_id, ...more }, lab.how);
const transactionsOf = async (lab: Lab, id: string): Promise<number> =>
  (await resultsOf(lab, id)).reduce((sum: number, each: Body) => sum + each.transactions, 0);
/** All payments get one variant, which a test of a single payment needs. */
const onlyA = (lab: Lab) => ({
  variants: variantsOf(lab).map((each, n) => ({ ...each, weight: n === 0 ? 10_000 : 1 })),
});

/** A customer who gets variant A of this test. */
async function aCustomerOfA(lab: Lab): Promise<string> {
  for (const customer of customers(20)) if ((await payAs(lab, customer)).routing.variant === 'A') return customer;
  throw new Error('Variant A takes nobody.');
}

async function counted(lab: Lab, id: string, variant = 'A'): Promise<Body> {
  await drain(host);
  return (await resultsOf(lab, id)).find(({ variant_name }: Body) => variant_name === variant);
}

describe('a payment in a running test', () => {
  it("goes to the connection of the variant's rule, even if that is disabled, and shows it", async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab);
    for (const customer of customers(6)) {
      const { routing, connection_id, status } = await payAs(lab, customer);
      expect(status).toBe('succeeded');
      expect(routing).toEqual({
        source: 'ab_test',
        ab_test_id: id,
        variant: expect.stringMatching(/^[AB]$/),
        rule_id: lab.rules[connection_id as 'a' | 'b'],
        considered: [{ connection_id: CONNECTION[routing.variant], usable: true, reason: null }],
      });
    }
  });

  it('stays in the variant of its customer, also after a pause and with more traffic', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, { traffic_percentage: 60 });
    const variantFor = async (customer: string) => (await payAs(lab, customer)).routing.variant as string | undefined;
    const variants = async () =>
      Object.fromEntries(
        await Promise.all(customers(40).map(async (customer) => [customer, await variantFor(customer)] as const)),
      );
    const first = await variants();
    expect(new Set(Object.values(first))).toEqual(new Set(['A', 'B', undefined]));
    expect(await variants()).toEqual(first);
    await move(lab, id, 'pause');
    await editTest(lab, id, { traffic_percentage: 100 });
    await move(lab, id, 'start');
    const known = Object.fromEntries(Object.entries(first).filter(([, variant]) => variant !== undefined));
    const later = await variants();
    expect(later).toMatchObject(known);
    expect(Object.values(later)).not.toContain(undefined);
  });

  it('takes part only if the test targets it, and while the test runs', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, {
      target_currencies: ['EUR'],
      target_countries: ['FR'],
      target_methods: ['card'],
    });
    const sourceOf = async (more: Body) => (await pay(host, 'ok', more, lab.how)).routing.source;
    expect(await sourceOf({ country: 'FR' })).toBe('ab_test');
    for (const more of [{ country: 'DE' }, {}, { country: 'FR', currency: 'USD' }])
      expect(await sourceOf(more)).toBe('default');
    await move(lab, id, 'pause');
    expect(await sourceOf({ country: 'FR' })).toBe('default');
    await move(lab, id, 'start');
    expect(await sourceOf({ country: 'FR' })).toBe('ab_test');
    await editTest(lab, id, { traffic_percentage: 0 });
    expect(await sourceOf({ country: 'FR' })).toBe('default');
    await editTest(lab, id, { traffic_percentage: 100 });
    await move(lab, id, 'complete');
    expect(await sourceOf({ country: 'FR' })).toBe('default');
  });

  it("follows the routing rules if the variant's connection is not usable, and is not counted", async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, onlyA(lab));
    const customer = await aCustomerOfA(lab);
    const before = (await counted(lab, id)).transactions;
    await host.call('PATCH', '/v1/connections/a/status', { status: 'inactive' }, lab.how);
    expect(await payAs(lab, customer)).toMatchObject({
      status: 'succeeded',
      connection_id: 'b',
      routing: { source: 'default' },
    });
    await host.call('PATCH', '/v1/connections/b/status', { status: 'inactive' }, lab.how);
    expect(await payAs(lab, customer)).toMatchObject({ status: 'failed', failure: { code: 'no_route' } });
    expect((await counted(lab, id)).transactions).toBe(before);
  });

  it('is not counted if the fraud policy blocks it', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, onlyA(lab));
    const customer = await aCustomerOfA(lab);
    const before = await counted(lab, id);
    const policy = {
      enabled: true,
      velocity: [{ field: 'customer_id', max_payments: 1, window: '10m' }],
      action: 'block',
    };
    expect((await host.call('POST', '/v1/policies/fraud', policy, lab.how)).status).toBe(200);
    expect((await payAs(lab, customer)).status).toBe('succeeded');
    expect(await payAs(lab, customer)).toMatchObject({ status: 'failed', failure: { code: 'fraud_blocked' } });
    expect(await counted(lab, id)).toMatchObject({
      transactions: before.transactions + 1,
      successful: before.successful + 1,
      failed: before.failed,
    });
  });
});

describe('the results of a test', () => {
  it('are empty at first', async () => {
    const lab = await aLab(host);
    const { id } = await makeTest(lab);
    const nothing = {
      transactions: 0,
      successful: 0,
      failed: 0,
      currency: null,
      total_amount: 0,
      avg_latency_ms: null,
      success_rate: null,
      updated_at: null,
    };
    expect(await resultsOf(lab, id)).toEqual([
      { id: `${id}_1`, test_id: id, variant_name: 'A', ...nothing },
      { id: `${id}_2`, test_id: id, variant_name: 'B', ...nothing },
    ]);
    expect(await comparisonOf(lab, id)).toEqual({
      winning_variant: null,
      success_rate_diff: null,
      latency_diff: null,
      statistically_valid: false,
      confidence_level: 0,
      recommended_duration: 365,
    });
  });

  it('count the payments of each variant, at both paths', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, { target_currencies: ['USD', 'EUR'] });
    const paid: Body[] = [];
    for (const customer of customers(24)) paid.push(await payAs(lab, customer, 'ok', { currency: 'USD', amount: 700 }));
    for (const customer of customers(4))
      paid.push(await payAs(lab, customer, 'decline_card_declined', { currency: 'USD' }));
    for (const customer of customers(3)) paid.push(await payAs(lab, customer, 'ok', { currency: 'EUR' }));
    await drain(host);
    const results = await resultsOf(lab, id);
    for (const result of results) {
      const own = paid.filter(({ routing }) => routing.variant === result.variant_name);
      const [good, bad] = [
        own.filter(({ status }) => status === 'succeeded'),
        own.filter(({ status }) => status === 'failed'),
      ];
      expect(result).toMatchObject({
        transactions: own.length,
        successful: good.length,
        failed: bad.length,
        currency: 'USD',
        total_amount: 700 * good.filter(({ currency }) => currency === 'USD').length,
        avg_latency_ms: expect.any(Number),
        success_rate: Math.round((10_000 * good.length) / own.length) / 10_000,
        updated_at: expect.stringMatching(/Z$/),
      });
    }
    expect((await readTest(lab, id)).total_transactions).toBe(31);
    expect((await host.call('GET', `${OTHER_PATH}/${id}/results`, undefined, lab.how)).body.results).toEqual(results);
    expect(await comparisonOf(lab, id)).toMatchObject({
      winning_variant: expect.stringMatching(/^[AB]$/),
      statistically_valid: false,
    });
  });

  it("count the variant's own attempt, not a failover after it", async () => {
    const lab = await aLab(host, { fallback_to_default: true });
    const { id } = await startTest(lab, onlyA(lab));
    const customer = await aCustomerOfA(lab);
    const [own, other] = [await counted(lab, id), await counted(lab, id, 'B')];
    await arrange(host, 'refuse_connection');
    const payment = await payAnywhere(host, 'ok', { customer_id: customer }, lab.how);
    expect(payment).toMatchObject({
      status: 'succeeded',
      connection_id: 'b',
      routing: { source: 'ab_test', variant: 'A' },
    });
    expect(payment.attempts.map(({ connection_id, status }: Body) => [connection_id, status])).toEqual([
      ['a', 'failed'],
      ['b', 'succeeded'],
    ]);
    expect(await counted(lab, id)).toMatchObject({
      transactions: own.transactions + 1,
      successful: own.successful,
      failed: own.failed + 1,
    });
    expect(await counted(lab, id, 'B')).toEqual(other);
  });

  it('stay with the variant if the rule may not fall back', async () => {
    const lab = await aLab(host);
    await startTest(lab, onlyA(lab));
    const customer = await aCustomerOfA(lab);
    await arrange(host, 'refuse_connection');
    expect((await payAnywhere(host, 'ok', { customer_id: customer }, lab.how)).attempts).toHaveLength(1);
  });

  it('count a retry, which stays in its variant, as another payment', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, onlyA(lab));
    const customer = await aCustomerOfA(lab);
    const before = await counted(lab, id);
    const failed = await payAs(lab, customer, 'decline_insufficient_funds');
    const { body } = await act(host, failed.id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, lab.how);
    expect(body).toMatchObject({ status: 'succeeded', routing: failed.routing });
    expect(await counted(lab, id)).toMatchObject({
      transactions: before.transactions + 2,
      successful: before.successful + 1,
      failed: before.failed + 1,
      total_amount: before.total_amount + 5_000,
    });
  });

  it('keep a payment without a customer in its variant too', async () => {
    const lab = await aLab(host);
    await startTest(lab);
    for (let n = 0; n < 6; n += 1) {
      const failed = await pay(host, 'decline_insufficient_funds', {}, lab.how);
      const { body } = await act(host, failed.id, 'retry', { payment_method: { type: 'card', token: 'ok' } }, lab.how);
      expect(body.routing.variant).toBe(failed.routing.variant);
    }
  });

  it('wait for an outcome, and follow it', async () => {
    const lab = await aLab(host);
    const { id } = await startTest(lab, onlyA(lab));
    const customer = await aCustomerOfA(lab);
    const before = await counted(lab, id);
    const waiting = await payAs(lab, customer, 'needs_3ds');
    expect(waiting.status).toBe('requires_action');
    expect(await counted(lab, id)).toMatchObject({
      transactions: before.transactions + 1,
      successful: before.successful,
      failed: before.failed,
    });
    await complete(host, waiting.id, 'succeeded');
    expect((await read(host, waiting.id, lab.how)).status).toBe('succeeded');
    expect(await counted(lab, id)).toMatchObject({
      transactions: before.transactions + 1,
      successful: before.successful + 1,
    });
    await act(host, waiting.id, 'refund', {}, lab.how);
    expect(await counted(lab, id)).toMatchObject({
      successful: before.successful + 1,
      total_amount: before.total_amount + 5_000,
    });
  });
});

describe('a scheduled test', () => {
  const at = (ms: number) => new Date(host.clock.now().getTime() + ms).toISOString();
  const HOUR = 3_600_000;

  /** A second after a full minute, at which timers run: the next ones are almost a minute away. */
  async function passFullMinute(): Promise<void> {
    const set = new Date(Math.ceil(host.clock.now().getTime() / MINUTE) * MINUTE + SECOND).toISOString();
    await host.control('POST', '/clock', { set });
  }

  it('starts and completes automatically', async () => {
    const lab = await aLab(host);
    const { id } = await makeTest(lab, { start_at: at(HOUR), end_at: at(3 * HOUR) });
    const status = async () => (await readTest(lab, id)).status;
    expect(await status()).toBe('draft');
    await advance(host, '2h');
    expect(await status()).toBe('running');
    expect((await pay(host, 'ok', {}, lab.how)).routing.ab_test_id).toBe(id);
    await move(lab, id, 'pause');
    await advance(host, '2h');
    expect(await status()).toBe('completed');
    expect((await pay(host, 'ok', {}, lab.how)).routing.source).toBe('default');
    expect((await host.call('DELETE', `/v1/routing-rules/${lab.rules.a}`, undefined, lab.how)).status).toBe(200);
  });

  it('starts at once if its time has passed', async () => {
    const lab = await aLab(host);
    const { id } = await makeTest(lab, { start_at: at(-HOUR) });
    await advance(host, '1m');
    expect((await readTest(lab, id)).status).toBe('running');
  });

  it('stays a draft with the reason if another one runs at its time', async () => {
    const lab = await aLab(host);
    const first = await startTest(lab);
    const { id } = await makeTest(lab, { start_at: at(HOUR) });
    await advance(host, '2h');
    expect(await readTest(lab, id)).toMatchObject({ status: 'draft', start_failure: 'ab_test_overlap' });
    expect(host.logged).toContainEqual(
      expect.objectContaining({
        event: 'ab_test_not_started',
        fields: { org_id: lab.org_id, ab_test_id: id, code: 'ab_test_overlap' },
      }),
    );
    await move(lab, first.id, 'complete');
    await advance(host, '2h');
    expect((await readTest(lab, id)).status).toBe('draft');
    expect((await editTest(lab, id, { start_at: at(HOUR) })).body.start_failure).toBe(null);
    await advance(host, '2h');
    expect(await readTest(lab, id)).toMatchObject({ status: 'running', start_failure: null });
  });

  it("can't be started after its end", async () => {
    const lab = await aLab(host);
    const { id } = await makeTest(lab, { end_at: at(HOUR) });
    await advance(host, '2h');
    expect(await move(lab, id, 'start')).toMatchObject({ status: 409, body: { code: 'ab_test_not_startable' } });
    await editTest(lab, id, { end_at: null });
    expect((await move(lab, id, 'start')).body.status).toBe('running');
  });

  it('gets no payments from its end on, even before the timer ran', async () => {
    await passFullMinute();
    const lab = await aLab(host);
    await host.clock.stand(host.clock.now());
    const { id } = await startTest(lab, { end_at: at(SECOND) });
    await host.clock.stand(plus(host.clock.now(), SECOND + 1));
    expect((await readTest(lab, id)).status).toBe('running');
    expect((await pay(host, 'ok', {}, lab.how)).routing.source).toBe('default');
    expect((await move(lab, id, 'pause')).body.code).toBe('ab_test_not_pausable');
    expect((await editTest(lab, id, { end_at: at(HOUR) })).body.code).toBe('ab_test_not_editable');
    const { id: next } = await startTest(lab);
    expect((await pay(host, 'ok', {}, lab.how)).routing.ab_test_id).toBe(next);
    await host.clock.run();
    await advance(host, '2m');
    expect([
      (await readTest(lab, id)).status,
      (await readTest(lab, next)).status,
      await transactionsOf(lab, id),
    ]).toEqual(['completed', 'running', 0]);
  });
});
