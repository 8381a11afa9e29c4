import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Connection } from '#shared/domain/connection.model.ts';
import { routeByDefault, unusable, type Want } from '#shared/domain/routing.rules.ts';
import { aConnection } from '#test/support/payment.builder.ts';

const want = (about: Partial<Want> = {}): Want => ({
  mode: 'sandbox',
  method: 'card',
  currency: 'USD',
  country: 'NG',
  amount: 5_000,
  hasToken: () => true,
  canExpress: () => true,
  lacksEmail: () => false,
  ...about,
});

const named = (id: string, hints: Partial<Connection['routing_hints']> = {}) => aConnection({ id, routing_hints: hints });
const ranked = (connections: readonly Connection[], about: Partial<Want> = {}) => routeByDefault(connections, want(about)).ranked.map((c) => c.id);

describe('a connection', () => {
  it.each<[string, Connection, Partial<Want>, string | undefined]>([
    ['takes a payment that fits', aConnection(), {}, undefined],
    ['takes what it lists', aConnection({ capabilities: { currencies: ['USD'], countries: ['NG'], methods: ['ideal', 'card'] } }), {}, undefined],
    ['takes a payment of no known country', aConnection({ capabilities: { countries: ['GH'] } }), { country: null }, undefined],
    ['is switched off', aConnection({ status: 'inactive' }), {}, 'inactive'],
    ['is of the other mode', aConnection({ mode: 'live' }), {}, 'wrong_mode'],
    ['lacks the method', aConnection(), { method: 'ideal' }, 'method_not_supported'],
    ['lacks the currency', aConnection({ capabilities: { currencies: ['EUR'] } }), {}, 'currency_not_supported'],
    ['takes no currency at all', aConnection({ capabilities: { currencies: [] } }), {}, 'currency_not_supported'],
    ['lacks the country', aConnection({ capabilities: { countries: ['GH'] } }), {}, 'country_not_supported'],
    ['can’t express the amount', aConnection(), { canExpress: (provider) => provider !== 'stripe' }, 'amount_not_supported'],
    ['needs a mail address that is not known', aConnection(), { lacksEmail: (provider) => provider === 'stripe' }, 'customer_email_required'],
    ['got no token', aConnection(), { hasToken: (provider) => provider !== 'stripe' }, 'no_token'],
    ['asks for its own provider’s token', aConnection({ provider: 'adyen' }), { hasToken: (provider) => provider === 'adyen' }, undefined],
  ])('%s', (_, connection, about, reason) => expect(unusable(connection, want(about))).toBe(reason));
});

describe('default routing', () => {
  it.each<[string, Connection[], Partial<Want>, string[]]>([
    ['puts the preferred country first', [named('a'), named('b', { country_preference: ['GH', 'NG'] })], {}, ['b', 'a']],
    ['puts the preferred country before a bias', [named('a', { method_bias: { card: 1 } }), named('b', { country_preference: ['NG'] })], {}, ['b', 'a']],
    ['knows no preference without a country', [named('a'), named('b', { country_preference: ['NG'] })], { country: null }, ['a', 'b']],
    [
      'follows the bias of the method',
      [named('a', { method_bias: { card: -0.5 } }), named('b'), named('c', { method_bias: { card: 0.5 } })],
      {},
      ['c', 'b', 'a'],
    ],
    ['ignores the bias of another method', [named('a'), named('b', { method_bias: { ideal: 1 } })], {}, ['a', 'b']],
    ['puts a fallback last', [named('a', { fallback_only: true }), named('b')], {}, ['b', 'a']],
    [
      'puts a fallback last, preferred or not',
      [named('a', { fallback_only: true, country_preference: ['NG'], method_bias: { card: 1 } }), named('b', { method_bias: { card: -1 } })],
      {},
      ['b', 'a'],
    ],
    ['uses a fallback when nothing else can', [named('a', { fallback_only: true }), aConnection({ id: 'b', status: 'inactive' })], {}, ['a']],
    ['breaks ties by id', [named('c'), named('a'), named('b')], {}, ['a', 'b', 'c']],
    ['leaves out what is unusable', [aConnection({ id: 'a', status: 'inactive' }), named('b')], {}, ['b']],
    ['finds nowhere to go', [aConnection({ id: 'a', status: 'inactive' })], {}, []],
  ])('%s', (_, connections, about, expected) => expect(ranked(connections, about)).toEqual(expected));

  it('notes whom it considered and why not', () =>
    expect(routeByDefault([aConnection({ id: 'b', status: 'inactive' }), named('a')], want()).note).toEqual({
      source: 'default',
      considered: [
        { connection_id: 'a', usable: true, reason: null },
        { connection_id: 'b', usable: false, reason: 'inactive' },
      ],
    }));

  it('notes the first 10 and ranks them all', () => {
    const route = routeByDefault(
      Array.from({ length: 12 }, (_, n) => named(`conn_${n}`)),
      want(),
    );
    expect([route.note.considered.length, route.ranked.length]).toEqual([10, 12]);
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
  const connectionsOf = (lines: readonly { id: string; country_preference: string[]; bias: number; fallback_only: boolean; status: string }[]) =>
    lines.map(({ id, status, country_preference, bias, fallback_only }) =>
      aConnection({ id, status: status as Connection['status'], routing_hints: { country_preference, fallback_only, method_bias: { card: bias } } }),
    );

  it('gives the same order and note, in whatever order the connections come', () =>
    fc.assert(
      fc.property(
        someConnections.chain((lines) => fc.tuple(fc.constant(lines), fc.shuffledSubarray(lines, { minLength: lines.length }))),
        ([lines, shuffled]) => {
          expect(routeByDefault(connectionsOf(shuffled), want())).toEqual(routeByDefault(connectionsOf(lines), want()));
        },
      ),
    ));

  it('ranks exactly those that are usable, fallbacks last', () =>
    fc.assert(
      fc.property(someConnections, (lines) => {
        const connections = connectionsOf(lines);
        const route = routeByDefault(connections, want()).ranked;
        expect(new Set(route)).toEqual(new Set(connections.filter((c) => c.status === 'active')));
        const fallbacks = route.map((c) => c.routing_hints.fallback_only);
        expect(fallbacks).toEqual(fallbacks.toSorted());
      }),
    ));

  it('does not change what it was given', () => {
    const connections = Object.freeze([named('b'), named('a')]);
    expect(ranked(connections)).toEqual(['a', 'b']);
  });
});
