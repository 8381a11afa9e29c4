import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, type RoutedPayment, unusableReason } from '#shared/domain/routing/candidates.rules.ts';
import type { Connection, RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { HealthStatus } from '#shared/domain/routing/health.rules.ts';
import { matchRule, planRouting } from '#shared/domain/routing/routing.rules.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { candidatesOf } from '#test/support/candidates.ts';
import { aConnection } from '#test/support/payment.builder.ts';
import { later, START } from '#test/support/stopped-clock.ts';

/** The payment, and the data of each connection for it. */
type About = Partial<RoutedPayment> & Partial<Omit<Candidate, 'connection'>>;

const payment = ({
  health: _,
  supportsAmount: __,
  lacksEmail: ___,
  hasToken: ____,
  capturesLater: _____,
  ...about
}: About = {}) =>
  ({
    id: 'pay_1',
    customer_id: null,
    mode: 'sandbox',
    method: 'card',
    currency: 'USD',
    country: 'NG',
    amount: 5_000,
    ...about,
  }) satisfies RoutedPayment;

const candidate = (
  connection: RoutedConnection,
  { health = 'unknown', supportsAmount = true, capturesLater = true, lacksEmail = false, hasToken = true }: About = {},
): Candidate => ({ connection, health, supportsAmount, capturesLater, lacksEmail, hasToken });

type Setup = { readonly rules?: readonly RoutingRule[]; readonly health?: (id: string) => HealthStatus };
const plan = (connections: readonly Connection[], about: About = {}, { rules = [], health }: Setup = {}) =>
  planRouting(
    payment(about),
    candidatesOf(connections, (connection) => ({
      ...candidate(connection, about),
      ...(health && { health: health(connection.id) }),
    })),
    { rules, tests: [] },
    START,
  );

/** The nth rule; a higher number is younger. */
const rule = (n: number, about: Partial<RoutingRule> = {}): RoutingRule => ({
  id: `rule_${n}`,
  org_id: 'org_1',
  name: `Rule ${n}`,
  countries: ['NG'],
  methods: [],
  connection_id: 'a',
  priority: 0,
  fallback_to_default: false,
  enabled: true,
  created_at: later(n).toISOString(),
  updated_at: START.toISOString(),
  version: 1,
  ...about,
});

const named = (id: string, hints: Partial<Connection['routing_hints']> = {}) =>
  aConnection({ id, routing_hints: hints });
const ranked = (connections: readonly Connection[], about: About = {}) =>
  plan(connections, about).ranked.map((c) => c.id);

describe('a connection', () => {
  it.each<[string, Connection, About, string | null]>([
    ['supports a matching payment', aConnection(), {}, null],
    [
      'supports what it lists',
      aConnection({ capabilities: { currencies: ['USD'], countries: ['NG'], methods: ['ideal', 'card'] } }),
      {},
      null,
    ],
    [
      'supports a payment without a country',
      aConnection({ capabilities: { countries: ['GH'] } }),
      { country: null },
      null,
    ],
    ['is inactive', aConnection({ status: 'inactive' }), {}, 'inactive'],
    ['has another mode', aConnection({ mode: 'live' }), {}, 'wrong_mode'],
    ['lacks the method', aConnection(), { method: 'ideal' }, 'method_not_supported'],
    ['lacks the currency', aConnection({ capabilities: { currencies: ['EUR'] } }), {}, 'currency_not_supported'],
    ['supports no currency at all', aConnection({ capabilities: { currencies: [] } }), {}, 'currency_not_supported'],
    ['lacks the country', aConnection({ capabilities: { countries: ['GH'] } }), {}, 'country_not_supported'],
    ['cannot charge the amount', aConnection(), { supportsAmount: false }, 'amount_not_supported'],
    ['requires an unknown mail address', aConnection(), { lacksEmail: true }, 'customer_email_required'],
    ['has no token', aConnection(), { hasToken: false }, 'no_token'],
    ['requires a token of its own provider', aConnection({ provider: 'adyen' }), { hasToken: true }, null],
  ])('%s', (_, connection, about, reason) =>
    expect(unusableReason(candidate(connection, about), payment(about))).toBe(reason),
  );
});

describe('default routing', () => {
  it.each<[string, Connection[], About, string[]]>([
    [
      'prefers a connection for the country',
      [named('a'), named('b', { country_preference: ['GH', 'NG'] })],
      {},
      ['b', 'a'],
    ],
    [
      'prefers the country over a bias',
      [named('a', { method_bias: { card: 1 } }), named('b', { country_preference: ['NG'] })],
      {},
      ['b', 'a'],
    ],
    [
      'ignores the country preference without a country',
      [named('a'), named('b', { country_preference: ['NG'] })],
      { country: null },
      ['a', 'b'],
    ],
    [
      'follows the bias of the method',
      [named('a', { method_bias: { card: -0.5 } }), named('b'), named('c', { method_bias: { card: 0.5 } })],
      {},
      ['c', 'b', 'a'],
    ],
    ['ignores the bias of another method', [named('a'), named('b', { method_bias: { ideal: 1 } })], {}, ['a', 'b']],
    ['puts a fallback last', [named('a', { fallback_only: true }), named('b')], {}, ['b', 'a']],
    [
      'puts a fallback last even if it is preferred',
      [
        named('a', { fallback_only: true, country_preference: ['NG'], method_bias: { card: 1 } }),
        named('b', { method_bias: { card: -1 } }),
      ],
      {},
      ['b', 'a'],
    ],
    [
      'uses a fallback if no other connection is usable',
      [named('a', { fallback_only: true }), aConnection({ id: 'b', status: 'inactive' })],
      {},
      ['a'],
    ],
    ['breaks ties by id', [named('c'), named('a'), named('b')], {}, ['a', 'b', 'c']],
    ['omits unusable connections', [aConnection({ id: 'a', status: 'inactive' }), named('b')], {}, ['b']],
    ['can find no connection', [aConnection({ id: 'a', status: 'inactive' })], {}, []],
  ])('%s', (_, connections, about, expected) => expect(ranked(connections, about)).toEqual(expected));

  it('records each connection that it considered, with the reason', () =>
    expect(plan([aConnection({ id: 'b', status: 'inactive' }), named('a')]).note).toEqual({
      source: 'default',
      considered: [
        { connection_id: 'a', usable: true, reason: null },
        { connection_id: 'b', usable: false, reason: 'inactive' },
      ],
    }));

  it('records the first 10 and ranks them all', () => {
    const route = plan(Array.from({ length: 12 }, (_, n) => named(`conn_${n}`)));
    expect([route.note.considered.length, route.ranked.length]).toEqual([10, 12]);
  });

  describe('with more preferred connections than are recorded', () => {
    const preferred = Array.from({ length: 12 }, (_, n) =>
      aConnection({ id: `off_${n}`, status: 'inactive', routing_hints: { country_preference: ['NG'] } }),
    );
    const ids = preferred.map(({ id }) => id).toSorted();
    const told = (setup: Setup = {}) => plan([...preferred, named('b'), named('a')], {}, setup);
    const idsOf = ({ note }: ReturnType<typeof told>) => note.considered.map(({ connection_id }) => connection_id);

    it('records those that can take the payment', () => {
      const route = told();
      expect([route.ranked.map(({ id }) => id), idsOf(route)]).toEqual([
        ['a', 'b'],
        [...ids.slice(0, 8), 'a', 'b'],
      ]);
    });

    it('records the one that a rule names first', () => {
      const route = told({ rules: [rule(1, { connection_id: 'gone', fallback_to_default: true })] });
      expect([route.ranked.map(({ id }) => id), idsOf(route)]).toEqual([
        ['a', 'b'],
        ['gone', ...ids.slice(0, 7), 'a', 'b'],
      ]);
    });
  });

  const someConnections = fc.uniqueArray(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 3 }),
      country_preference: fc.subarray(['NG', 'GH']),
      bias: fc.constantFrom(-1, 0, 0.5, 1),
      fallback_only: fc.boolean(),
      status: fc.constantFrom('active', 'inactive'),
    }),
    { selector: ({ id }) => id, maxLength: 12 },
  );
  const connectionsOf = (
    lines: readonly {
      id: string;
      country_preference: string[];
      bias: number;
      fallback_only: boolean;
      status: string;
    }[],
  ) =>
    lines.map(({ id, status, country_preference, bias, fallback_only }) =>
      aConnection({
        id,
        status: status as Connection['status'],
        routing_hints: { country_preference, fallback_only, method_bias: { card: bias } },
      }),
    );

  it('has the same order and record for any order of the connections', () =>
    fc.assert(
      fc.property(
        someConnections.chain((lines) =>
          fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length })),
        ),
        ([lines, shuffled]) => {
          expect(plan(connectionsOf(shuffled))).toEqual(plan(connectionsOf(lines)));
        },
      ),
    ));

  it('ranks exactly the usable ones, fallbacks last', () =>
    fc.assert(
      fc.property(someConnections, (lines) => {
        const connections = connectionsOf(lines);
        const route = plan(connections).ranked;
        expect(new Set(route)).toEqual(new Set(connections.filter((c) => c.status === 'active')));
        const fallbacks = route.map((c) => c.routing_hints.fallback_only);
        expect(fallbacks).toEqual(fallbacks.toSorted());
      }),
    ));

  it('does not change its input', () => {
    const connections = Object.freeze([named('b'), named('a')]);
    expect(ranked(connections)).toEqual(['a', 'b']);
  });
});

describe('the health of a connection', () => {
  const health =
    (statuses: Readonly<Record<string, HealthStatus>>) =>
    (id: string): HealthStatus =>
      statuses[id] ?? 'unknown';
  const order = (
    statuses: Readonly<Record<string, HealthStatus>>,
    connections: readonly Connection[],
    about: About = {},
  ) => plan(connections, about, { health: health(statuses) }).ranked.map((c) => c.id);

  it.each<[string, Readonly<Record<string, HealthStatus>>, Connection[], string[]]>([
    [
      'puts degraded connections after healthy ones',
      { a: 'degraded', b: 'healthy' },
      [named('a'), named('b')],
      ['b', 'a'],
    ],
    ['treats an unknown one as healthy', { a: 'healthy' }, [named('b'), named('a')], ['a', 'b']],
    [
      'counts less than the bias of the method',
      { a: 'degraded' },
      [named('a', { method_bias: { card: 0.1 } }), named('b')],
      ['a', 'b'],
    ],
    [
      'counts less than the country preference',
      { a: 'degraded' },
      [named('a', { country_preference: ['NG'] }), named('b')],
      ['a', 'b'],
    ],
    ['omits connections that are down', { a: 'down' }, [named('a'), named('b')], ['b']],
    [
      'omits a connection that is down even if it is preferred',
      { a: 'down' },
      [named('a', { country_preference: ['NG'], method_bias: { card: 1 } }), named('b')],
      ['b'],
    ],
    [
      'prefers a fallback to a connection that is down',
      { a: 'down' },
      [named('a'), named('b', { fallback_only: true })],
      ['b'],
    ],
    [
      'uses a connection that is down if no other is usable',
      { a: 'down' },
      [named('a'), aConnection({ id: 'b', status: 'inactive' })],
      ['a'],
    ],
    [
      'uses all connections that are down if no other is usable',
      { a: 'down', b: 'down' },
      [named('b'), named('a')],
      ['a', 'b'],
    ],
    [
      'puts a fallback last if all are down',
      { a: 'down', b: 'down' },
      [named('a', { fallback_only: true }), named('b')],
      ['b', 'a'],
    ],
  ])('%s', (_, statuses, connections, expected) => expect(order(statuses, connections)).toEqual(expected));

  it('is recorded if it decided', () =>
    expect(plan([named('a'), named('b')], {}, { health: health({ a: 'down' }) }).note.considered).toContainEqual({
      connection_id: 'a',
      usable: false,
      reason: 'down',
    }));

  it.each(['down', 'degraded'] as const)(
    'that is %s is probed by about 5 of 100 payments, always the same ones',
    (status) => {
      const probed = (n: number) => order({ a: status }, [named('a'), named('b')], { id: `pay_${n}` });
      const payments = Array.from({ length: 4_000 }, (_, n) => n);
      const probes = payments.filter((n) => probed(n)[0] === 'a');
      expect(probes.length).toBeGreaterThan(120);
      expect(probes.length).toBeLessThan(280);
      for (const n of probes) expect(probed(n)).toEqual(['a', 'b']);
    },
  );

  it.each(['down', 'degraded'] as const)(
    'that is %s is probed only after connections that are not fallbacks',
    (status) => {
      const fallback = (id: string) => named(id, { fallback_only: true });
      const routes = Array.from({ length: 1_000 }, (_, n) =>
        order({ a: status }, [fallback('a'), fallback('b'), named('c')], { id: `pay_${n}` }).join(''),
      );
      expect(new Set(routes.map(([first]) => first))).toEqual(new Set(['c']));
      expect(routes.filter((route) => route === 'cab').length).toBeGreaterThan(10);
    },
  );

  it('leaves the record in the order of routing, whether probed or not', () => {
    for (let n = 0; n < 200; n += 1) {
      const route = plan(
        [named('z'), named('b'), named('y', { fallback_only: true })],
        { id: `pay_${n}` },
        { health: health({ z: 'down', y: 'down' }) },
      );
      expect(route.note.considered.filter(({ usable }) => usable).map((each) => each.connection_id)).toEqual(
        route.ranked.map(({ id }) => id),
      );
    }
  });
});

describe('the fees of a provider', () => {
  const costing = (id: string, fee_structure: Connection['fee_structure']) => aConnection({ id, fee_structure });
  it.each<[string, Connection[], About, string[]]>([
    ['prefer the cheaper one', [costing('a', { percentage: 2 }), costing('b', { percentage: 1 })], {}, ['b', 'a']],
    [
      'add percentage and fixed part',
      [costing('a', { percentage: 1, fixed: 30 }), costing('b', { percentage: 1.5 })],
      {},
      ['b', 'a'],
    ],
    [
      'depend on the amount',
      [costing('a', { percentage: 1, fixed: 30 }), costing('b', { percentage: 1.5 })],
      { amount: 50_000 },
      ['a', 'b'],
    ],
    [
      'include fees per currency',
      [costing('a', { percentage: 1, per_currency: { USD: { percentage: 3 } } }), costing('b', { percentage: 2 })],
      {},
      ['b', 'a'],
    ],
    [
      'ignore fees of another currency',
      [costing('a', { percentage: 1, per_currency: { EUR: { percentage: 3 } } }), costing('b', { percentage: 2 })],
      {},
      ['a', 'b'],
    ],
    [
      'include fees per method',
      [costing('a', { percentage: 1, per_method: { card: { percentage: 3 } } }), costing('b', { percentage: 2 })],
      {},
      ['b', 'a'],
    ],
    [
      'prefer those of the currency to those of the method',
      [
        costing('a', { per_method: { card: { fixed: 1 } }, per_currency: { USD: { fixed: 90 } } }),
        costing('b', { fixed: 50 }),
      ],
      {},
      ['b', 'a'],
    ],
    [
      'combine each part from its most specific entry',
      [
        costing('a', { percentage: 1, fixed: 100, per_currency: { USD: { percentage: 0 } } }),
        costing('b', { fixed: 99 }),
      ],
      {},
      ['b', 'a'],
    ],
    ['are zero if they are not set', [costing('a', { fixed: 1 }), costing('b', null)], {}, ['b', 'a']],
    [
      'count less than a preference',
      [costing('a', { percentage: 9 }), aConnection({ id: 'b', fee_structure: null })].map((c) =>
        c.id === 'a' ? { ...c, routing_hints: { ...c.routing_hints, country_preference: ['NG'] } } : c,
      ),
      {},
      ['a', 'b'],
    ],
  ])('%s', (_, connections, about, expected) => expect(ranked(connections, about)).toEqual(expected));
});

describe('a routing rule', () => {
  it.each<[string, RoutingRule[], About, string | undefined]>([
    ['matches its country', [rule(1)], {}, 'rule_1'],
    ['matches one of several countries', [rule(1, { countries: ['GH', 'NG'] })], {}, 'rule_1'],
    ['does not match another country', [rule(1, { countries: ['GH'] })], {}, undefined],
    ['matches no payment without a country', [rule(1)], { country: null }, undefined],
    ['matches every method when it names none', [rule(1)], { method: 'ideal' }, 'rule_1'],
    ['matches a method that it names', [rule(1, { methods: ['ussd', 'card'] })], {}, 'rule_1'],
    ['does not match a method that it does not name', [rule(1, { methods: ['ussd'] })], {}, undefined],
    ['never matches while it is disabled', [rule(1, { enabled: false })], {}, undefined],
    [
      'with the highest priority decides',
      [rule(1, { priority: 1 }), rule(2, { priority: 9 }), rule(3, { priority: 5 })],
      {},
      'rule_2',
    ],
    ['with a negative priority comes after one without', [rule(1, { priority: -1 }), rule(2)], {}, 'rule_2'],
    ['decides between equals if it is older', [rule(3), rule(1), rule(2)], {}, 'rule_1'],
    ['is skipped while it is disabled', [rule(1, { priority: 9, enabled: false }), rule(2)], {}, 'rule_2'],
    ['is skipped for another method', [rule(1, { priority: 9, methods: ['ussd'] }), rule(2)], {}, 'rule_2'],
  ])('%s', (_, rules, about, expected) => expect(matchRule(rules, payment(about))?.id).toBe(expected));

  type Case = { rules?: RoutingRule[]; about?: About; down?: string; connections?: Connection[] };
  const mayFallBack = [rule(1, { fallback_to_default: true })];
  const route = ({ rules = [rule(1)], about = {}, down = '', connections = [named('a'), named('b')] }: Case) =>
    plan(connections, about, { rules, health: (id) => (down.includes(id) ? 'down' : 'unknown') });
  const off = aConnection({ id: 'a', status: 'inactive' });

  it.each<[string, Case, string[], object]>([
    ['sends the payment to its connection alone', {}, ['a'], { source: 'rule', rule_id: 'rule_1' }],
    [
      'wins over a country preference',
      { connections: [named('a'), named('b', { country_preference: ['NG'] })] },
      ['a'],
      { source: 'rule' },
    ],
    [
      'wins over a fallback_only hint',
      { connections: [named('a', { fallback_only: true }), named('b')] },
      ['a'],
      { source: 'rule' },
    ],
    [
      'fails over to other connections if it falls back to default routing',
      { rules: [rule(1, { fallback_to_default: true })] },
      ['a', 'b'],
      { source: 'rule', rule_id: 'rule_1' },
    ],
    [
      'finds no connection if its own cannot take the payment',
      { connections: [off, named('b')] },
      [],
      { source: 'rule', rule_id: 'rule_1' },
    ],
    [
      'falls back to default routing if it allows that',
      { rules: [rule(1, { fallback_to_default: true })], connections: [off, named('b')] },
      ['b'],
      { source: 'default', rule_id: 'rule_1' },
    ],
    [
      'does not give way to the next rule',
      { rules: [rule(1, { priority: 2 }), rule(2, { connection_id: 'b' })], connections: [off, named('b')] },
      [],
      { rule_id: 'rule_1' },
    ],
    [
      'finds no connection if its own was deleted',
      { rules: [rule(1, { connection_id: 'gone' })] },
      [],
      { source: 'rule' },
    ],
    ['uses its connection even if it is down', { down: 'a' }, ['a'], { source: 'rule' }],
    [
      'replaces a connection that is down if it falls back',
      { down: 'a', rules: mayFallBack },
      ['b'],
      { source: 'default' },
    ],
    [
      'uses a connection that is down if there is no other',
      { down: 'a', rules: mayFallBack, connections: [named('a')] },
      ['a'],
      { source: 'rule' },
    ],
    [
      'uses a connection that is down if no other is usable',
      { down: 'a', rules: mayFallBack, connections: [named('a'), aConnection({ id: 'b', status: 'inactive' })] },
      ['a'],
      { source: 'rule' },
    ],
    [
      'uses its own connection first if all are down',
      { down: 'ab', rules: [rule(1, { connection_id: 'b', fallback_to_default: true })] },
      ['b', 'a'],
      { source: 'rule' },
    ],
    [
      'replaces a connection that is down with a fallback',
      { down: 'a', rules: mayFallBack, connections: [named('a'), named('b', { fallback_only: true })] },
      ['b'],
      { source: 'default' },
    ],
    ['finds no connection without a token for its provider', { about: { hasToken: false } }, [], { source: 'rule' }],
    [
      'leaves payments that it does not match to default routing',
      { about: { country: 'GH' } },
      ['a', 'b'],
      { source: 'default' },
    ],
    [
      'leaves a payment without a country to default routing',
      { about: { country: null } },
      ['a', 'b'],
      { source: 'default' },
    ],
  ])('%s', (_, given, expected, note) => {
    const { ranked: order, note: told } = route(given);
    expect(order.map((c) => c.id)).toEqual(expected);
    expect(told).toMatchObject(note);
  });

  it('probes a connection that is down with about 5 of 100 payments, always the same ones', () => {
    const firstOf = (n: number) =>
      route({ rules: mayFallBack, down: 'a', about: { id: `pay_${n}` } }).ranked.map(({ id }) => id);
    const probes = Array.from({ length: 4_000 }, (_, n) => n).filter((n) => firstOf(n)[0] === 'a');
    expect(probes.length).toBeGreaterThan(120);
    expect(probes.length).toBeLessThan(280);
    for (const n of probes) expect(firstOf(n)).toEqual(['a', 'b']);
  });

  it('records a probe as its own decision', () => {
    const probe = Array.from({ length: 200 }, (_, n) =>
      route({ rules: mayFallBack, down: 'a', about: { id: `pay_${n}` } }),
    ).find(({ ranked: [first] }) => first?.id === 'a');
    expect(probe?.note).toEqual({
      source: 'rule',
      rule_id: 'rule_1',
      considered: [
        { connection_id: 'a', usable: true, reason: null },
        { connection_id: 'b', usable: true, reason: null },
      ],
    });
  });

  it('records why its connection was not used, and which one was', () =>
    expect(route({ rules: [rule(1, { fallback_to_default: true })], connections: [off, named('b')] }).note).toEqual({
      source: 'default',
      rule_id: 'rule_1',
      considered: [
        { connection_id: 'a', usable: false, reason: 'inactive' },
        { connection_id: 'b', usable: true, reason: null },
      ],
    }));

  const someRules = fc.array(
    fc.record({
      countries: fc.subarray(['NG', 'GH', 'DE'], { minLength: 1 }),
      methods: fc.subarray(['card', 'ussd']),
      priority: fc.integer({ min: -2, max: 2 }),
      enabled: fc.boolean(),
      fallback_to_default: fc.boolean(),
      connection_id: fc.constantFrom('a', 'b', 'off'),
    }),
    { maxLength: 8 },
  );
  const rulesOf = (lines: readonly Partial<RoutingRule>[]) => lines.map((line, n) => rule(n, line));
  const three = [named('a'), named('b'), aConnection({ id: 'off', status: 'inactive' })];

  it('with a higher priority is never skipped, in any order of rules', () =>
    fc.assert(
      fc.property(
        someRules,
        fc.constantFrom('NG', 'GH', 'DE'),
        fc.constantFrom('card', 'ussd'),
        (lines, country, method) => {
          const rules = rulesOf(lines);
          const chosen = matchRule(rules, { country, method });
          const fitting = rules.filter(
            (r) => r.enabled && r.countries.includes(country) && (r.methods.length === 0 || r.methods.includes(method)),
          );
          expect(chosen === undefined).toBe(fitting.length === 0);
          for (const other of fitting) expect(other.priority).toBeLessThanOrEqual(chosen?.priority ?? 0);
          expect(matchRule(rules.toReversed(), { country, method })).toEqual(chosen);
        },
      ),
    ));

  it('leads to a usable connection or to none', () =>
    fc.assert(
      fc.property(someRules, fc.option(fc.constantFrom('NG', 'GH', 'DE')), (lines, country) => {
        for (const connection of plan(three, { country }, { rules: rulesOf(lines) }).ranked)
          expect(unusableReason(candidate(connection), payment({ country }))).toBeNull();
      }),
    ));
});
