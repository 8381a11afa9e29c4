import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aConnection, anOrganization, type Body, startHost, type TestHost } from '#test/support/host.ts';
import { drain } from '#test/support/payment-steps.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost({ demoProviders: [] });
});
afterAll(() => host.close());

/** So many shops, with so many payments each. */
const SHOPS = 8;
const PAYMENTS = 6;

const IDS = ['a', 'b', 'c', 'd'] as const;
const COUNTRIES = ['DE', 'FR', 'NG'] as const;
const CURRENCIES = ['EUR', 'USD', 'NGN', 'JPY'] as const;
const METHODS = ['card', 'ideal', 'bank_transfer'] as const;
const EMAILS = ['eve@bad.example', 'ann@good.example'] as const;
const some = <T>(all: readonly T[], minLength = 0) => fc.uniqueArray(fc.constantFrom(...all), { minLength });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const aConnectionOf = fc.record({
  provider: fc.constantFrom('stripe', 'mollie', 'paystack'),
  status: fc.constantFrom('active', 'active', 'active', 'inactive'),
  routing_hints: fc.record({ country_preference: some(COUNTRIES), fallback_only: fc.boolean() }),
  fee_structure: maybe(fc.record({ percentage: fc.constantFrom(0.9, 1.4), fixed: fc.constantFrom(0, 25) })),
});
const aRuleOf = fc.record({
  countries: some(COUNTRIES, 1),
  methods: some(METHODS),
  connection_id: fc.constantFrom(...IDS),
  priority: fc.integer({ min: 0, max: 2 }),
  fallback_to_default: fc.boolean(),
  enabled: fc.constantFrom(true, true, false),
});
const aSetup = fc.record({
  connections: fc.tuple(aConnectionOf, aConnectionOf, aConnectionOf, aConnectionOf),
  rules: fc.array(aRuleOf, { minLength: 2, maxLength: 6 }),
  test: maybe(
    fc.record({
      traffic_percentage: fc.constantFrom(30, 100),
      weights: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })),
      target_countries: some(COUNTRIES),
    }),
  ),
  policy: maybe(fc.record({ action: fc.constantFrom('block', 'flag'), max_amount: fc.constantFrom(100, 1_000) })),
});
const aPaymentOf = fc.record(
  {
    amount: fc.integer({ min: 1, max: 2_000 }),
    currency: fc.constantFrom(...CURRENCIES),
    method: fc.constantFrom(...METHODS),
    country: fc.constantFrom(...COUNTRIES),
    customer_id: fc.constantFrom('one', 'two', 'three'),
    customer_email: fc.constantFrom(...EMAILS),
    capture: fc.constantFrom('automatic', 'manual'),
  },
  { requiredKeys: ['amount', 'currency'] },
);
type Setup = typeof aSetup extends fc.Arbitrary<infer T> ? T : never;

const ACTIVE: Setup['connections'][number] = {
  provider: 'stripe',
  status: 'active',
  routing_hints: { country_preference: [], fallback_only: false },
  fee_structure: undefined,
};
const FOR_GERMANY: Omit<Setup['rules'][number], 'connection_id'> = {
  countries: ['DE'],
  methods: [],
  priority: 0,
  fallback_to_default: true,
  enabled: true,
};
/** Ids decide which payments a test takes, so only one that takes all surely has some. */
const ALL_IN_A_TEST: Setup = {
  connections: [ACTIVE, ACTIVE, ACTIVE, ACTIVE],
  rules: [
    { ...FOR_GERMANY, connection_id: 'a' },
    { ...FOR_GERMANY, connection_id: 'b' },
  ],
  test: { traffic_percentage: 100, weights: [1, 1], target_countries: [] },
  policy: undefined,
};
const GERMAN_PAYMENTS = Array.from({ length: PAYMENTS }, (_, n) => ({
  amount: 1_000 + n,
  currency: 'EUR' as const,
  country: 'DE' as const,
}));

const call = (key: string, path: string, body: Body) => host.call('POST', path, body, { key });

/** A shop of its own, set up over HTTP. */
async function shopWith({ connections, rules, test, policy }: Setup): Promise<string> {
  const own = await anOrganization(host);
  for (const [n, { fee_structure, status, ...more }] of connections.entries()) {
    await aConnection(host, own, { id: IDS[n], ...more, ...(fee_structure && { fee_structure }) });
    if (status === 'inactive')
      await host.call('PATCH', `/v1/connections/${IDS[n]}/status`, { status }, { key: own.key });
  }
  const ids: string[] = [];
  for (const rule of rules) ids.push((await call(own.key, '/v1/routing-rules', { name: 'rule', ...rule })).body.id);
  if (test) {
    const { weights, ...targets } = test;
    const variants = weights.map((weight, n) => ({ name: `v${n}`, routing_rule_id: ids[n], weight }));
    const { id } = (await call(own.key, '/v1/routing/ab-tests', { name: 'test', variants, ...targets })).body;
    expect((await call(own.key, `/v1/routing/ab-tests/${id}/start`, undefined)).status).toBe(200);
  }
  if (policy) {
    const { action, max_amount } = policy;
    const blocked = { email_domains: ['bad.example'] };
    await call(own.key, '/v1/policies/fraud', { enabled: true, action, max_amount: { EUR: max_amount }, blocked });
  }
  return own.key;
}

/** What a payment says of its way, in the words of the simulator. */
function wayOf({ attempts, failure, fraud, routing }: Body) {
  const { source, rule_id = null, ab_test_id = null, variant = null } = routing ?? {};
  return {
    connection_id: attempts[0]?.connection_id ?? null,
    provider: attempts[0]?.provider ?? null,
    failure: attempts.length === 0 ? failure.code : null,
    fraud: fraud && { decision: fraud.decision, reasons: fraud.reasons },
    // A payment that is blocked is not routed, so it has no note.
    routing: routing && { source, rule_id, ab_test_id, variant },
  };
}

const simulatedWay = ({ connection_id, provider, failure, fraud, routing, outcome }: Body) => ({
  connection_id,
  provider,
  failure: failure?.code ?? null,
  fraud: fraud && { decision: fraud.decision, reasons: fraud.reasons },
  routing: outcome === 'blocked' ? null : routing,
});

it('sends every payment where the simulator says, for whatever is set up', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(aSetup, fc.array(aPaymentOf, { minLength: PAYMENTS, maxLength: PAYMENTS }), async (setup, all) => {
      const key = await shopWith(setup);
      const edited = await reversedRules(key);
      let moved = 0;
      for (const body of all) {
        const paid = (await call(key, '/v1/payments', body)).body;
        const simulated = (await call(key, '/v1/routing/simulate', { ...body, id: paid.id })).body;
        const otherwise = (await call(key, '/v1/routing/simulate', { ...body, id: paid.id, rules: edited })).body;
        moved += otherwise.connection_id === simulated.connection_id ? 0 : 1;
        expect(simulatedWay(simulated)).toEqual(wayOf(paid));
        verifyExplanation(simulated);
        seen.add(`${simulated.outcome} ${simulated.routing.source}`);
      }
      await verifyReplay(key, edited, moved);
    }),
    { numRuns: SHOPS, seed: 22, endOnFailure: true, examples: [[ALL_IN_A_TEST, GERMAN_PAYMENTS]] },
  );
  // The property would hold of nothing if no payment took these ways.
  const [outcomes, sources] = [0, 1].map((part) => new Set([...seen].map((way) => way.split(' ')[part])));
  expect(outcomes).toEqual(new Set(['blocked', 'no_route', 'routed']));
  expect(sources).toEqual(new Set(['ab_test', 'default', 'rule']));
}, 60_000);

/** A rule matches exactly if none of its conditions fails, and at most one rule or test decides. */
function verifyExplanation({ rules, ab_tests, connections, connection_id, order, outcome }: Body): void {
  for (const { result, conditions } of rules)
    expect(result === 'no_match').toBe(conditions.some(({ holds }: Body) => !holds));
  const deciding = [...rules, ...ab_tests].filter(({ result }) => result === 'decides');
  expect(deciding.length).toBeLessThanOrEqual(1);
  expect(connections.every(({ position, reason }: Body) => (position === null) === (reason !== null))).toBe(true);
  if (outcome === 'routed') expect(order[0]).toBe(connection_id);
}

/** The stored rules in the reverse of their order, as a client sends them to try them out. */
async function reversedRules(key: string): Promise<readonly Body[]> {
  const stored: Body[] = (await host.call('GET', '/v1/routing-rules?limit=200', undefined, { key })).body;
  return stored
    .sort((a, b) => a.priority - b.priority || (a.id < b.id ? 1 : -1))
    .map(({ id, countries, methods, connection_id, fallback_to_default, enabled }) => {
      return { id, countries, methods, connection_id, fallback_to_default, enabled };
    });
}

/** The rules as they are move nothing; those in reverse move as many as the simulator says. */
async function verifyReplay(key: string, edited: readonly Body[], moved: number): Promise<void> {
  await drain(host);
  const replay = async (rules: readonly Body[]): Promise<Body> =>
    (await call(key, '/v1/routing/replay', { rules })).body;
  expect(await replay(edited.toReversed())).toMatchObject({ moved: 0, differs_from_recorded: 0 });
  expect((await replay(edited)).moved).toBe(moved);
}
