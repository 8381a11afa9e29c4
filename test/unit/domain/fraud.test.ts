import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { normalDomain, normalNetwork, screenPayment } from '#shared/domain/routing/fraud.rules.ts';
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
    ['has nothing against a payment it says nothing of', {}, {}, []],
    ['takes an amount up to its limit', { max_amount: { EUR: 5_000 } }, {}, []],
    ['stops an amount above it', { max_amount: { EUR: 4_999 } }, {}, ['amount_over_limit']],
    ['knows no limit of another currency', { max_amount: { USD: 1 } }, {}, []],
    ['stops a country', { blocked: lists({ countries: ['DE'] }) }, {}, ['blocked_country']],
    ['lets other countries pass', { blocked: lists({ countries: ['FR'] }) }, {}, []],
    ['stops no unknown country', { blocked: lists({ countries: ['DE'] }) }, { country: null }, []],
    [
      'stops a mail address, however it is written',
      { blocked: lists({ emails: ['ada@mail.example.com'] }) },
      {},
      ['blocked_email'],
    ],
    ['lets other addresses pass', { blocked: lists({ emails: ['bob@mail.example.com'] }) }, {}, []],
    ['stops a domain', { blocked: lists({ email_domains: ['mail.example.com'] }) }, {}, ['blocked_email_domain']],
    [
      'stops what is under a domain',
      { blocked: lists({ email_domains: ['example.com'] }) },
      {},
      ['blocked_email_domain'],
    ],
    ['does not take an ending for a domain', { blocked: lists({ email_domains: ['ample.com'] }) }, {}, []],
    [
      'does not take a part before the @ for a domain',
      { blocked: lists({ email_domains: ['evil.com'] }) },
      { customer_email: 'evil.com@example.com' },
      [],
    ],
    [
      'knows a domain in other letters',
      { blocked: lists({ email_domains: ['xn--bcher-kva.example'] }) },
      { customer_email: 'a@bücher.example' },
      ['blocked_email_domain'],
    ],
    ['stops a customer', { blocked: lists({ customer_ids: ['cus_1'] }) }, {}, ['blocked_customer']],
    ['tells customers by case', { blocked: lists({ customer_ids: ['CUS_1'] }) }, {}, []],
    ['stops an address', { blocked: lists({ ips: ['203.0.113.7'] }) }, {}, ['blocked_ip']],
    ['stops a network', { blocked: lists({ ips: ['203.0.113.0/24'] }) }, {}, ['blocked_ip']],
    ['lets the next network pass', { blocked: lists({ ips: ['203.0.112.0/24'] }) }, {}, []],
    [
      'stops an address that comes as IPv6',
      { blocked: lists({ ips: ['203.0.113.7'] }) },
      { customer_ip: '::ffff:203.0.113.7' },
      ['blocked_ip'],
    ],
    [
      'stops an IPv6 network',
      { blocked: lists({ ips: ['2001:db8::/32'] }) },
      { customer_ip: '2001:db8:1::5' },
      ['blocked_ip'],
    ],
    ['does not take IPv4 for IPv6', { blocked: lists({ ips: ['::/0'] }) }, {}, []],
    ['stops no unknown address', { blocked: lists({ ips: ['0.0.0.0/0'] }) }, { customer_ip: null }, []],
    [
      'names every reason',
      { max_amount: { EUR: 1 }, blocked: lists({ countries: ['DE'], customer_ids: ['cus_1'] }) },
      {},
      ['amount_over_limit', 'blocked_country', 'blocked_customer'],
    ],
    [
      'lets the allowed pass though they are blocked',
      { blocked: lists({ countries: ['DE'] }), allowed: lists({ customer_ids: ['cus_1'] }) },
      {},
      [],
    ],
    [
      'lets the allowed pass above the limit',
      { max_amount: { EUR: 1 }, allowed: lists({ ips: ['203.0.113.0/24'] }) },
      {},
      [],
    ],
    [
      'allows nobody it does not list',
      { blocked: lists({ countries: ['DE'] }), allowed: lists({ customer_ids: ['cus_2'] }) },
      {},
      ['blocked_country'],
    ],
  ])('%s', (_, about, of, expected) => expect(reasons(about, of)).toEqual(expected));

  it('lets the allowed pass, whatever else it says', () => {
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
  ])('%j is the network %j', (text, expected) => expect(normalNetwork(text)).toBe(expected));

  it.each([
    ['Example.COM', 'example.com'],
    ['@example.com', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['localhost', undefined],
    ['a b.com', undefined],
    ['.com', undefined],
    ['', undefined],
  ])('%j is the domain %j', (text, expected) => expect(normalDomain(text)).toBe(expected));
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
  ] as const)('by %s speaks of %s', (field, expected) =>
    expect(valuesFor({ ...rule, field }, payment(), ['"tok"'])).toEqual([expected]),
  );

  it('does not speak of a payment that lacks its field', () => {
    expect(valuesFor({ ...rule, field: 'customer_id' }, payment({ customer_id: null }), [])).toEqual([]);
    expect(valuesFor({ ...rule, field: 'token' }, payment(), [])).toEqual([]);
  });

  it('of one currency does not speak of others', () => {
    expect(valuesFor({ ...rule, field: 'customer_id', currency: 'USD' }, payment(), [])).toEqual([]);
    expect(valuesFor({ ...rule, field: 'customer_id', currency: 'EUR' }, payment(), [])).toEqual(['cus_1']);
  });

  it('is one with others that count the same over the same time, of the tightest limits', () => {
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
