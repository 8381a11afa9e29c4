import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { normalizeDomain, normalizeNetwork, screenPayment } from '#shared/domain/routing/fraud.rules.ts';
import {
  type FraudLists,
  type FraudPolicy,
  NO_POLICY,
  type VelocityRule,
} from '#shared/domain/routing/fraud-policy.model.ts';
import { mergeRules, valuesFor, windowLength } from '#shared/domain/routing/velocity.rules.ts';
import { aPayment } from '#test/support/payment.builder.ts';

const lists = (about: Partial<FraudLists>): FraudLists => ({ ...NO_POLICY.blocked, ...about });
const policy = (about: Partial<FraudPolicy> = {}): FraudPolicy => ({ ...NO_POLICY, enabled: true, ...about });
const payment = (about: Partial<Payment> = {}) =>
  aPayment({
    amount: 5_000,
    currency: 'EUR',
    country: 'DE',
    customer_id: 'cus_1',
    customer_email: 'Ada@Mail.Example.com',
    customer_ip: '203.0.113.7',
    ...about,
  });
const reasons = (about: Partial<FraudPolicy>, of: Partial<Payment> = {}) =>
  screenPayment(policy(about), payment(of)).reasons;

describe('the fraud policy', () => {
  it.each<[string, Partial<FraudPolicy>, Partial<Payment>, string[]]>([
    ['allows a payment without rules for it', {}, {}, []],
    ['allows an amount up to its limit', { max_amount: { EUR: 5_000 } }, {}, []],
    ['blocks an amount above its limit', { max_amount: { EUR: 4_999 } }, {}, ['amount_over_limit']],
    ['has no limit for other currencies', { max_amount: { USD: 1 } }, {}, []],
    ['blocks a country', { blocked: lists({ countries: ['DE'] }) }, {}, ['blocked_country']],
    ['allows other countries', { blocked: lists({ countries: ['FR'] }) }, {}, []],
    ['does not block an unknown country', { blocked: lists({ countries: ['DE'] }) }, { country: null }, []],
    [
      'blocks a mail address in any spelling',
      { blocked: lists({ emails: ['ada@mail.example.com'] }) },
      {},
      ['blocked_email'],
    ],
    ['allows other mail addresses', { blocked: lists({ emails: ['bob@mail.example.com'] }) }, {}, []],
    ['blocks a mail domain', { blocked: lists({ email_domains: ['mail.example.com'] }) }, {}, ['blocked_email_domain']],
    ['blocks a subdomain', { blocked: lists({ email_domains: ['example.com'] }) }, {}, ['blocked_email_domain']],
    ['does not match the end of a domain', { blocked: lists({ email_domains: ['ample.com'] }) }, {}, []],
    [
      'does not match the part before the @',
      { blocked: lists({ email_domains: ['evil.com'] }) },
      { customer_email: 'evil.com@example.com' },
      [],
    ],
    [
      'matches an internationalized domain',
      { blocked: lists({ email_domains: ['xn--bcher-kva.example'] }) },
      { customer_email: 'a@bücher.example' },
      ['blocked_email_domain'],
    ],
    ['blocks a customer', { blocked: lists({ customer_ids: ['cus_1'] }) }, {}, ['blocked_customer']],
    ['distinguishes customer ids by case', { blocked: lists({ customer_ids: ['CUS_1'] }) }, {}, []],
    ['blocks an IP address', { blocked: lists({ ips: ['203.0.113.7'] }) }, {}, ['blocked_ip']],
    ['blocks a network', { blocked: lists({ ips: ['203.0.113.0/24'] }) }, {}, ['blocked_ip']],
    ['allows the next network', { blocked: lists({ ips: ['203.0.112.0/24'] }) }, {}, []],
    [
      'blocks an IPv4 address written as IPv6',
      { blocked: lists({ ips: ['203.0.113.7'] }) },
      { customer_ip: '::ffff:203.0.113.7' },
      ['blocked_ip'],
    ],
    [
      'blocks an IPv6 network',
      { blocked: lists({ ips: ['2001:db8::/32'] }) },
      { customer_ip: '2001:db8:1::5' },
      ['blocked_ip'],
    ],
    ['does not match IPv4 with IPv6 networks', { blocked: lists({ ips: ['::/0'] }) }, {}, []],
    ['does not block an unknown IP address', { blocked: lists({ ips: ['0.0.0.0/0'] }) }, { customer_ip: null }, []],
    [
      'names every reason',
      { max_amount: { EUR: 1 }, blocked: lists({ countries: ['DE'], customer_ids: ['cus_1'] }) },
      {},
      ['amount_over_limit', 'blocked_country', 'blocked_customer'],
    ],
    [
      'allows entries of the allow list even if they are blocked',
      { blocked: lists({ countries: ['DE'] }), allowed: lists({ customer_ids: ['cus_1'] }) },
      {},
      [],
    ],
    [
      'allows entries of the allow list above the limit',
      { max_amount: { EUR: 1 }, allowed: lists({ ips: ['203.0.113.0/24'] }) },
      {},
      [],
    ],
    [
      'does not allow others than the entries of the allow list',
      { blocked: lists({ countries: ['DE'] }), allowed: lists({ customer_ids: ['cus_2'] }) },
      {},
      ['blocked_country'],
    ],
  ])('%s', (_, about, of, expected) => expect(reasons(about, of)).toEqual(expected));

  it('allows entries of the allow list, whatever its other rules', () => {
    const some = fc.record({
      amount: fc.integer({ min: 1, max: 9_999 }),
      country: fc.constantFrom('DE', 'FR', null),
      customer_ip: fc.constantFrom('203.0.113.7', '2001:db8::1'),
    });
    fc.assert(
      fc.property(some, (of) => {
        const strict = {
          max_amount: { EUR: 1 },
          blocked: lists({ countries: ['DE', 'FR'], ips: ['0.0.0.0/0', '::/0'] }),
        };
        expect(
          screenPayment(policy({ ...strict, allowed: lists({ emails: ['ada@mail.example.com'] }) }), payment(of)),
        ).toEqual({ allowed: true, reasons: [] });
      }),
    );
  });

  it('does not depend on the order of its lists', () => {
    const countries = fc.shuffledSubarray(['DE', 'FR', 'GB', 'US'], { minLength: 1 });
    fc.assert(
      fc.property(countries, fc.constantFrom('DE', 'FR', 'GB', 'US', 'NG'), (listed, country) => {
        const there = listed.includes(country) ? ['blocked_country'] : [];
        expect(reasons({ blocked: lists({ countries: listed }) }, { country })).toEqual(there);
        expect(reasons({ blocked: lists({ countries: listed.toReversed() }) }, { country })).toEqual(there);
      }),
    );
  });
});

describe('an entry of a list', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' 203.0.113.0/24 ', '203.0.113.0/24'],
    ['2001:DB8::1', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::/129', undefined],
    ['203.0.113.0/33', undefined],
    ['203.0.113', undefined],
    ['0xcb007107', undefined],
    ['3405803783', undefined],
    ['example.com', undefined],
    ['203.0.113.0/', undefined],
    ['', undefined],
  ])('%j is the network %j', (text, expected) => expect(normalizeNetwork(text)).toBe(expected));

  it.each([
    ['Example.COM', 'example.com'],
    ['@example.com', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', undefined],
    ['a b.com', undefined],
    ['.com', undefined],
    ['', undefined],
  ])('%j is the domain %j', (text, expected) => expect(normalizeDomain(text)).toBe(expected));
});

describe('a velocity rule', () => {
  it.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
    ['30d', 2_592_000_000],
    ['31d', undefined],
    ['0m', undefined],
    ['10', undefined],
    ['1.5h', undefined],
    ['10 m', undefined],
    ['m', undefined],
  ])('has a window of %s: %j', (window, expected) => expect(windowLength(window)).toBe(expected));

  const rule = { max_payments: 3, window: '10m' };
  it.each([
    ['customer_id', 'cus_1'],
    ['customer_email', 'ada@mail.example.com'],
    ['ip', '203.0.113.7'],
    ['token', '"tok"'],
  ] as const)('by %s counts %s', (field, expected) =>
    expect(valuesFor({ ...rule, field }, payment(), ['"tok"'])).toEqual([expected]),
  );

  it('does not count a payment without its field', () => {
    expect(valuesFor({ ...rule, field: 'customer_id' }, payment({ customer_id: null }), [])).toEqual([]);
    expect(valuesFor({ ...rule, field: 'token' }, payment(), [])).toEqual([]);
  });

  it('with a currency does not count others', () => {
    expect(valuesFor({ ...rule, field: 'customer_id', currency: 'USD' }, payment(), [])).toEqual([]);
    expect(valuesFor({ ...rule, field: 'customer_id', currency: 'EUR' }, payment(), [])).toEqual(['cus_1']);
  });

  it('is merged with rules of the same field and window, with the lowest limits', () => {
    const of = (max_payments: number, more: Partial<VelocityRule> = {}): VelocityRule => ({
      field: 'ip',
      max_payments,
      window: '10m',
      ...more,
    });
    const money = { currency: 'EUR', max_amount: 900 };
    expect(
      mergeRules([
        of(5),
        of(2, { window: '600s' }),
        of(9),
        of(4, money),
        of(7, { ...money, max_amount: 300 }),
        of(3, { window: '11m' }),
      ]),
    ).toEqual([of(2), of(4, { ...money, max_amount: 300 }), of(3, { window: '11m' })]);
  });
});
