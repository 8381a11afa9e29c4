import { describe, expect, it } from 'vitest';
import { startFormFields } from '#functions/hosted-pages/start-form-fields.rules.ts';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import type { RoutedPayment } from '#shared/domain/routing/candidates.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { HealthStatus } from '#shared/domain/routing/health.rules.ts';
import { planRouting, type RoutingConfig } from '#shared/domain/routing/routing.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { aRunningTest, aVariant, testId } from '#test/support/ab-test.builder.ts';
import { candidatesOf } from '#test/support/candidates.ts';
import { aConnection } from '#test/support/payment.builder.ts';
import { aPaymentLink } from '#test/support/payment-link.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const payment: RoutedPayment = {
  id: 'pay_1',
  customer_id: 'cus_1',
  mode: 'sandbox',
  method: 'card',
  currency: 'USD',
  country: 'NG',
  amount: 5_000,
};

/** The rule of a variant of this name: to the connection of the same name, in small letters. */
const rule = (variant: string, about: Partial<RoutingRule> = {}): RoutingRule => ({
  id: `rule_${variant}`,
  org_id: 'org_1',
  name: variant,
  countries: ['FR'],
  methods: [],
  connection_id: variant.toLowerCase(),
  priority: 0,
  fallback_to_default: false,
  enabled: false,
  created_at: START.toISOString(),
  updated_at: START.toISOString(),
  version: 1,
  ...about,
});

const CONNECTIONS = ['a', 'b', 'c'].map((id) => aConnection({ id }));
/** Whoever pays, this variant takes it. */
const only = (variant: string, about: Partial<RunningTest> = {}): RunningTest =>
  aRunningTest({ variants: [aVariant(variant, 10_000)], ...about });
const OF_RULES = rule('C', { id: 'rule_of_all', countries: ['NG'], enabled: true, priority: 9 });
const down = (id: string): HealthStatus => (id === 'b' ? 'down' : 'unknown');

type Setup = RoutingConfig & {
  readonly connections: readonly Connection[];
  readonly health?: (id: string) => HealthStatus;
};
const plan = ({ connections, health = () => 'unknown', ...config }: Setup, about: Partial<RoutedPayment> = {}) =>
  planRouting(
    { ...payment, ...about },
    candidatesOf(connections, ({ id }) => ({ health: health(id) })),
    config,
    START,
  );

type Case = [string, Partial<Setup>, Partial<RoutedPayment>, string[], object];

describe('a payment while tests run', () => {
  it.each<Case>([
    [
      'goes by the variant before any rule',
      { tests: [only('B')] },
      {},
      ['b'],
      { source: 'ab_test', ab_test_id: testId(1), variant: 'B', rule_id: 'rule_B' },
    ],
    [
      'goes by the rules where no test targets it',
      { tests: [only('B', { target_currencies: ['EUR'] })] },
      {},
      ['c'],
      { source: 'rule', rule_id: 'rule_of_all' },
    ],
    [
      'goes by the rules with no traffic',
      { tests: [only('B', { traffic_percentage: 0 })] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'goes by the rules from the test’s end on',
      { tests: [only('B', { end_at: START.toISOString() })] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'goes by the variant until then',
      { tests: [only('B', { end_at: later(1).toISOString() })] },
      {},
      ['b'],
      { source: 'ab_test' },
    ],
    ['needs no country', { tests: [only('B')] }, { country: null }, ['b'], { source: 'ab_test' }],
    [
      'goes by the rules where the variant’s rule is gone',
      { tests: [only('B')], rules: [OF_RULES] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'goes by the rules where its connection is gone',
      { tests: [only('B')], connections: CONNECTIONS.filter(({ id }) => id !== 'b') },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'goes by the rules where its connection can’t take it',
      { tests: [only('B')], connections: CONNECTIONS.map((c) => (c.id === 'b' ? { ...c, status: 'inactive' } : c)) },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'goes to a connection that is down where its rule insists',
      { tests: [only('B')], health: down },
      {},
      ['b'],
      { source: 'ab_test' },
    ],
    [
      'goes by the rules past a connection that is down where its rule may fall back',
      { tests: [only('B')], health: down, rules: [rule('B', { fallback_to_default: true }), OF_RULES] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'goes to the variant’s connection that is down where nothing else is up',
      {
        tests: [only('B')],
        health: () => 'down',
        rules: [rule('B', { fallback_to_default: true }), OF_RULES],
      },
      {},
      ['b', 'a', 'c'],
      { source: 'ab_test', variant: 'B' },
    ],
    [
      'may go on by default after the variant where its rule may fall back',
      { tests: [only('B')], rules: [rule('B', { fallback_to_default: true }), OF_RULES] },
      {},
      ['b', 'a', 'c'],
      { source: 'ab_test', variant: 'B' },
    ],
    [
      'goes by default where neither takes it',
      { tests: [only('B', { target_methods: ['ideal'] })], rules: [] },
      {},
      ['a', 'b', 'c'],
      { source: 'default' },
    ],
  ])('%s', (_, setup, about, ranked, note) => {
    const route = plan({ connections: CONNECTIONS, rules: [rule('B'), OF_RULES], tests: [], ...setup }, about);
    expect([route.ranked.map(({ id }) => id), route.note]).toEqual([ranked, expect.objectContaining(note)]);
    if (route.note.source !== 'ab_test')
      expect([route.note.ab_test_id, route.note.variant]).toEqual([undefined, undefined]);
  });
});

describe('a variant whose connection can’t take the payment', () => {
  const off = CONNECTIONS.map((c) => (c.id === 'b' ? { ...c, status: 'inactive' as const } : c));
  const told = (rules: readonly RoutingRule[], setup: Partial<Setup> = {}) =>
    plan({ connections: off, rules, tests: [only('B')], ...setup }).note;

  it('is told of, with the reason, before what the rule considered', () =>
    expect(told([rule('B'), OF_RULES])).toEqual({
      source: 'rule',
      rule_id: 'rule_of_all',
      considered: [
        { connection_id: 'b', usable: false, reason: 'inactive' },
        { connection_id: 'c', usable: true, reason: null },
      ],
    }));

  it('is told of once where default routing looks at it too', () =>
    expect(told([rule('B')]).considered.map(({ connection_id }) => connection_id)).toEqual(['a', 'b', 'c']));

  it('is told of though its connection is gone', () =>
    expect(told([rule('B'), OF_RULES], { connections: CONNECTIONS.filter(({ id }) => id === 'c') }).considered).toEqual(
      [
        { connection_id: 'b', usable: false, reason: 'not_found' },
        { connection_id: 'c', usable: true, reason: null },
      ],
    ));

  it('is among no more than ten', () => {
    const many = Array.from({ length: 12 }, (_, n) => aConnection({ id: `x${n}` }));
    const { considered } = told([rule('B')], { connections: many });
    expect([considered.length, considered[0]?.connection_id]).toEqual([10, 'b']);
  });
});

describe('the start form of a payment link', () => {
  const psps = { supportsAmount: () => true, needsEmail: () => false };
  it.each([
    [
      'requires the country if an A/B test targets some countries',
      [only('B', { target_countries: ['NG'] })],
      'required',
    ],
    ['omits the country if an A/B test targets all countries', [only('B')], 'omitted'],
  ] as const)('%s', (_, tests, country) =>
    expect(startFormFields(aPaymentLink(), { connections: CONNECTIONS, rules: [], tests }, psps).country).toBe(country),
  );
});
