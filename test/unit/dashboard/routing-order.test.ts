import { describe, expect, it } from 'vitest';
import { countriesError, countriesIn } from '#client/dashboard/screens/routing/codes.ts';
import { draftOf, policyOf } from '#client/dashboard/screens/routing/fraud-draft.ts';
import { inOrder, isSameOrder, moved } from '#client/dashboard/screens/routing/rule-order.ts';
import { EMPTY_SIMULATION, simulationIn, simulationOf } from '#client/dashboard/screens/routing/simulation-input.ts';

const rule = (id: string, priority: number) => ({ id, priority, created_at: '2026-01-01T00:00:00.000Z' });
const idsOf = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id).join('');

describe('the order of rules that somebody is making', () => {
  const stored = [rule('a', 3), rule('b', 2), rule('c', 1)];

  it('is that of their priorities, among equals that of their age and ids, until it is changed', () => {
    expect(idsOf(inOrder([rule('c', 1), rule('b', 1), rule('a', 9)], undefined))).toBe('abc');
  });

  it('leaves out rules that were deleted meanwhile, and takes in new ones where routing tries them', () => {
    expect(idsOf(inOrder(stored, ['c', 'gone', 'a', 'b']))).toBe('cab');
    expect(idsOf(inOrder([...stored, rule('n', 9)], ['c', 'a', 'b']))).toBe('ncab');
    expect(idsOf(inOrder([...stored, rule('n', 0)], ['c', 'a', 'b']))).toBe('cabn');
  });

  it.each([
    ['to the top', 0, 'cab'],
    ['beyond the top', -3, 'cab'],
    ['beyond the end', 9, 'abc'],
  ])('moves a rule %s', (_, to, expected) => expect(moved(['a', 'b', 'c'], 'c', to).join('')).toBe(expected));

  it('is the same only with the same rules in the same places', () => {
    expect([isSameOrder(['a', 'b'], ['a', 'b']), isSameOrder(['a', 'b'], ['b', 'a']), isSameOrder(['a'], [])]).toEqual([
      ...[true, false, false],
    ]);
  });
});

describe('the forms of routing', () => {
  it('take countries as people type them, and say which one is none', () => {
    expect(countriesIn('de, at;  ch\nde')).toEqual(['DE', 'AT', 'CH']);
    expect([countriesError('de, at'), countriesError('de, germany')]).toEqual([
      ...[undefined, 'GERMANY is no country code. Codes have two letters, such as DE.'],
    ]);
  });

  it('simulate nothing that is not complete, and send no token but a made-up one', () => {
    expect(simulationOf({ ...EMPTY_SIMULATION, country: 'D' }, undefined)).toBeUndefined();
    expect(simulationOf({ ...EMPTY_SIMULATION, amount: 0 }, undefined)).toBeUndefined();
    expect(simulationOf({ ...EMPTY_SIMULATION, token: 'stripe', country: 'DE' }, [])).toEqual({
      ...{ amount: 5_000, currency: 'EUR', method: 'card', country: 'DE', rules: [] },
      payment_method: { type: 'card', tokens: { stripe: 'simulated' } },
    });
  });

  it('begin with what an address says, and with nothing else in it', () => {
    const address = {
      amount: '700',
      currency: 'usd',
      country: 'us',
      method: 'card',
      payment: 'pay_1',
      email: 'a@b.example',
    };
    expect(simulationIn(address)).toEqual({
      ...{ ...EMPTY_SIMULATION, amount: 700, currency: 'USD', country: 'US', payment: 'pay_1' },
    });
    expect(simulationIn({ amount: '7e9' })).toEqual(EMPTY_SIMULATION);
  });

  it('save a fraud policy as it was shown, where nothing was changed', () => {
    const lists = { countries: ['KP'], emails: [], email_domains: ['bad.example'], customer_ids: ['a, b'], ips: [] };
    const policy = {
      ...{ enabled: true, action: 'flag' as const, max_amount: { EUR: 25_050, JPY: 500 }, updated_at: null },
      velocity: [{ field: 'ip', max_payments: 5, window: '1h', currency: 'EUR' as const, max_amount: 10_000 }],
      ...{ blocked: lists, allowed: { ...lists, customer_ids: [] } },
    };
    const { updated_at: _, ...saved } = policy;
    expect(policyOf(draftOf(policy))).toEqual(saved);
    expect(policyOf({ ...draftOf(policy), limits: [{ currency: 'EUR', amount: 'much' }] })).toBeUndefined();
  });
});
