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

/** The rule of the variant with this name, to the connection with the same name in lower case. */
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
/** Gives every customer this variant. */
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
      'is routed by the variant before any rule',
      { tests: [only('B')] },
      {},
      ['b'],
      { source: 'ab_test', ab_test_id: testId(1), variant: 'B', rule_id: 'rule_B' },
    ],
    [
      'is routed by the rules if no test targets it',
      { tests: [only('B', { target_currencies: ['EUR'] })] },
      {},
      ['c'],
      { source: 'rule', rule_id: 'rule_of_all' },
    ],
    [
      'is routed by the rules at 0 % traffic',
      { tests: [only('B', { traffic_percentage: 0 })] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'is routed by the rules from the end of the test on',
      { tests: [only('B', { end_at: START.toISOString() })] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'is routed by the variant until the end of the test',
      { tests: [only('B', { end_at: later(1).toISOString() })] },
      {},
      ['b'],
      { source: 'ab_test' },
    ],
    [
      'is routed by the variant without a country',
      { tests: [only('B')] },
      { country: null },
      ['b'],
      { source: 'ab_test' },
    ],
    [
      'is routed by the rules if the rule of the variant was deleted',
      { tests: [only('B')], rules: [OF_RULES] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'is routed by the rules if the connection of the variant was deleted',
      { tests: [only('B')], connections: CONNECTIONS.filter(({ id }) => id !== 'b') },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      'is routed by the rules if the connection of the variant cannot take it',
      { tests: [only('B')], connections: CONNECTIONS.map((c) => (c.id === 'b' ? { ...c, status: 'inactive' } : c)) },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      "goes to a variant's connection that is down if its rule does not fall back",
      { tests: [only('B')], health: down },
      {},
      ['b'],
      { source: 'ab_test' },
    ],
    [
      "is routed by the rules if the variant's connection is down and its rule falls back",
      { tests: [only('B')], health: down, rules: [rule('B', { fallback_to_default: true }), OF_RULES] },
      {},
      ['c'],
      { source: 'rule' },
    ],
    [
      "goes to the variant's connection that is down if every other one is down too",
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
      'can fail over to default routing if the rule of the variant falls back',
      { tests: [only('B')], rules: [rule('B', { fallback_to_default: true }), OF_RULES] },
      {},
      ['b', 'a', 'c'],
      { source: 'ab_test', variant: 'B' },
    ],
    [
      'is routed by default if neither a test nor a rule takes it',
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

describe('a variant whose connection cannot take the payment', () => {
  const off = CONNECTIONS.map((c) => (c.id === 'b' ? { ...c, status: 'inactive' as const } : c));
  const noteOf = (rules: readonly RoutingRule[], setup: Partial<Setup> = {}) =>
    plan({ connections: off, rules, tests: [only('B')], ...setup }).note;

  it('is recorded with the reason, before the connections that the rule considered', () =>
    expect(noteOf([rule('B'), OF_RULES])).toEqual({
      source: 'rule',
      rule_id: 'rule_of_all',
      considered: [
        { connection_id: 'b', usable: false, reason: 'inactive' },
        { connection_id: 'c', usable: true, reason: null },
      ],
    }));

  it('is recorded once if default routing considers its connection too', () =>
    expect(noteOf([rule('B')]).considered.map(({ connection_id }) => connection_id)).toEqual(['a', 'b', 'c']));

  it('is recorded even if its connection was deleted', () =>
    expect(
      noteOf([rule('B'), OF_RULES], { connections: CONNECTIONS.filter(({ id }) => id === 'c') }).considered,
    ).toEqual([
      { connection_id: 'b', usable: false, reason: 'not_found' },
      { connection_id: 'c', usable: true, reason: null },
    ]));

  it('counts towards the ten recorded connections', () => {
    const many = Array.from({ length: 12 }, (_, n) => aConnection({ id: `x${n}` }));
    const { considered } = noteOf([rule('B')], { connections: many });
    expect([considered.length, considered[0]?.connection_id]).toEqual([10, 'b']);
  });
});

describe('the start form of a payment link', () => {
  const psps = { supportsAmount: () => true, needsEmail: () => false, capturesLater: () => true };
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
