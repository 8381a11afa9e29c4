import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunningTest } from '#shared/domain/routing/ab-test.model.ts';
import { chooseVariant } from '#shared/domain/routing/ab-test-running.rules.ts';
import { aRunningTest, aVariant, testId } from '#test/support/ab-test.builder.ts';

type Wanted = Parameters<typeof chooseVariant>[1];
const want = (about: Partial<Wanted> = {}): Wanted => ({
  id: 'pay_1',
  customer_id: 'cus_1',
  currency: 'EUR',
  country: 'DE',
  method: 'card',
  ...about,
});
const variantFor = (test: RunningTest, about: Partial<Wanted>) => chooseVariant([test], want(about))?.variant.name;

const PAYMENTS = 100_000;
/** Chance exceeds five standard deviations once in two million samples. */
const farOff = (count: number, share: number, of = PAYMENTS) =>
  Math.abs(count - share * of) > 5 * Math.sqrt(of * share * (1 - share)) + 1;

const aTest = fc.record({
  id: fc.integer({ min: 1, max: 1_000_000 }).map(testId),
  weights: fc.array(fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10_000 })), {
    minLength: 2,
    maxLength: 10,
  }),
  traffic_percentage: fc.oneof(
    fc.constantFrom(0, 100),
    fc.integer({ min: 1, max: 99 }),
    fc.double({ min: 0, max: 100, noNaN: true }),
  ),
});
const built = ({
  id,
  weights,
  traffic_percentage,
}: {
  id: string;
  weights: readonly number[];
  traffic_percentage: number;
}) => aRunningTest({ id, traffic_percentage, variants: weights.map((weight, n) => aVariant(`V${n}`, weight)) });

describe('a variant', () => {
  it('gets its share of 100,000 payments, and the test its share of the traffic', () => {
    fc.assert(
      fc.property(aTest, fc.boolean(), (of, known) => {
        const test = built(of);
        const counts: Record<string, number> = {};
        for (let n = 0; n < PAYMENTS; n += 1) {
          const name = variantFor(test, known ? { customer_id: `cus_${n}` } : { customer_id: null, id: `pay_${n}` });
          if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
        }
        const taken = Object.values(counts).reduce((sum, count) => sum + count, 0);
        expect(farOff(taken, of.traffic_percentage / 100)).toBe(false);
        const all = of.weights.reduce((sum, weight) => sum + weight, 0);
        expect(of.weights.filter((weight, n) => farOff(counts[`V${n}`] ?? 0, weight / all, taken))).toEqual([]);
      }),
      { numRuns: 4 },
    );
  });

  it('stays the same for a customer, whatever the payment and the traffic percentage', () => {
    fc.assert(
      fc.property(
        aTest,
        fc.string(),
        fc.string(),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (of, customer_id, id, other) => {
          const test = built(of);
          const first = variantFor(test, { customer_id });
          expect(variantFor(test, { customer_id, id, currency: 'USD', country: null, method: 'ideal' })).toBe(first);
          const changed = variantFor({ ...test, traffic_percentage: other }, { customer_id });
          if (first !== undefined && changed !== undefined) expect(changed).toBe(first);
          if (other >= of.traffic_percentage && first !== undefined) expect(changed).toBe(first);
        },
      ),
    );
  });

  it('is assigned to nobody at 0 % traffic and to everybody at 100 %', () => {
    fc.assert(
      fc.property(aTest, fc.string(), (of, customer_id) => {
        expect(variantFor({ ...built(of), traffic_percentage: 0 }, { customer_id })).toBeUndefined();
        expect(variantFor({ ...built(of), traffic_percentage: 100 }, { customer_id })).toBeDefined();
      }),
    );
  });

  it('is independent of the variants of other tests and of the traffic percentage', () => {
    const [one, other] = [aRunningTest({ id: testId(1) }), aRunningTest({ id: testId(2) })];
    const half = { ...one, traffic_percentage: 50 };
    let [same, ofHalf, inHalf] = [0, 0, 0];
    for (let n = 0; n < 10_000; n += 1) {
      const customer_id = `cus_${n}`;
      if (variantFor(one, { customer_id }) === variantFor(other, { customer_id })) same += 1;
      const name = variantFor(half, { customer_id });
      if (name !== undefined) inHalf += 1;
      if (name === 'A') ofHalf += 1;
    }
    expect([farOff(same, 0.5, 10_000), farOff(inHalf, 0.5, 10_000), farOff(ofHalf, 0.5, inHalf)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('a running test', () => {
  it.each<[string, Partial<RunningTest>, Partial<Wanted>, boolean]>([
    ['without targets takes every payment', {}, {}, true],
    ['without targets takes a payment without a country', {}, { country: null }, true],
    ['with a target currency takes payments in it', { target_currencies: ['USD', 'EUR'] }, {}, true],
    ['with another target currency does not take the payment', { target_currencies: ['USD'] }, {}, false],
    ['with a target country takes payments from it', { target_countries: ['DE'] }, {}, true],
    ['with another target country does not take the payment', { target_countries: ['FR'] }, {}, false],
    [
      'with a target country does not take payments without a country',
      { target_countries: ['DE'] },
      { country: null },
      false,
    ],
    ['with a target method takes payments by it', { target_methods: ['ideal', 'card'] }, {}, true],
    ['with another target method does not take the payment', { target_methods: ['ideal'] }, {}, false],
    [
      'with several targets takes only payments that match all',
      { target_currencies: ['EUR'], target_countries: ['DE'], target_methods: ['ideal'] },
      {},
      false,
    ],
  ])('%s', (_, test, about, takes) =>
    expect(chooseVariant([aRunningTest(test)], want(about)) !== undefined).toBe(takes),
  );

  it('is chosen among several by its targets', () => {
    const tests = [
      aRunningTest({ id: testId(1), target_currencies: ['USD'] }),
      aRunningTest({ id: testId(2), target_currencies: ['EUR'] }),
    ];
    expect(chooseVariant(tests, want())?.test.id).toBe(testId(2));
  });
});
