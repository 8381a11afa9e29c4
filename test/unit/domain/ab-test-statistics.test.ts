import { describe, expect, it } from 'vitest';
import {
  normalCdf,
  normalQuantile,
  sampleSizePerGroup,
  twoProportionP,
} from '#shared/domain/routing/two-proportions.rules.ts';

describe('the standard normal distribution', () => {
  // Abramowitz & Stegun, Handbook of Mathematical Functions, table 26.1.
  it.each([
    [0, 0.5],
    [0.02, 0.50797_83137_16902],
    [0.5, 0.69146_24612_74013],
    [1, 0.84134_47460_68543],
    [1.5, 0.93319_27987_31142],
    [2, 0.97724_98680_51821],
    [3, 0.99865_01019_6837],
    [4, 0.99996_83287_58167],
    [5, 0.99999_97133_48428],
  ])('has the published cumulative probability below %d', (z, share) => {
    expect(normalCdf(z)).toBeCloseTo(share, 14);
    expect(normalCdf(-z)).toBeCloseTo(1 - share, 14);
  });

  // Abramowitz & Stegun, tables 26.5 and 26.6.
  it.each([
    [0.5, 0],
    [0.8, 0.84162_12336],
    [0.9, 1.28155_15655],
    [0.95, 1.64485_3627],
    [0.975, 1.95996_39845],
    [0.99, 2.32634_7874],
    [0.995, 2.57582_93035],
    [0.9995, 3.29052_67315],
  ])('has the published quantile for %d', (share, z) => {
    expect(normalQuantile(share)).toBeCloseTo(z, 9);
    expect(normalQuantile(1 - share)).toBeCloseTo(-z, 9);
  });

  it('has limits at infinity, and is NaN for NaN', () => {
    expect([normalCdf(-40), normalCdf(40), normalCdf(Number.NEGATIVE_INFINITY), normalCdf(Number.NaN)]).toEqual([
      0,
      1,
      0,
      Number.NaN,
    ]);
  });
});

describe('the test of two proportions', () => {
  it.each<[string, number, number, number, number, number, number]>([
    ['two medicines (OpenStax, Introductory Statistics, example 10.8)', 20, 200, 12, 200, 0.1404, 4],
    [
      'aspirin and heart attacks (Agresti, Categorical Data Analysis, table 2.1): z = 5.00',
      189,
      11_034,
      104,
      11_037,
      5.7e-7,
      8,
    ],
  ])('matches the published value for %s', (_, a, ofA, b, ofB, p, digits) => {
    expect(twoProportionP({ successful: a, finished: ofA }, { successful: b, finished: ofB })).toBeCloseTo(p, digits);
    expect(twoProportionP({ successful: b, finished: ofB }, { successful: a, finished: ofA })).toBeCloseTo(p, digits);
  });

  it.each([
    ['equal shares', 50, 100, 100, 200],
    ['samples with successes only', 10, 10, 30, 30],
    ['samples with failures only', 0, 10, 0, 30],
  ])('finds no difference between %s', (_, a, ofA, b, ofB) => {
    expect(twoProportionP({ successful: a, finished: ofA }, { successful: b, finished: ofB })).toBe(1);
  });
});

describe('the sample size', () => {
  // `power.prop.test` of R: its help page's 76.7, and 0.74 for 50 in each; the others are Fleiss's tables, without
  // correction.
  it.each([
    [0.5, 0.75, 0.05, 0.9, 76.7, 1],
    [0.5, 0.75, 0.05, 0.74, 50, 0],
    [0.6, 0.7, 0.05, 0.8, 356, 0],
    [0.1, 0.15, 0.05, 0.8, 686, 0],
    [0.05, 0.1, 0.05, 0.8, 435, 0],
  ])('for %d against %d at level %d with power %d matches the published one', (a, b, level, power, n, digits) => {
    expect(Math.abs(sampleSizePerGroup(a, b, level, power) - n)).toBeLessThan(digits === 1 ? 0.06 : 0.7);
    expect(sampleSizePerGroup(b, a, level, power)).toBeCloseTo(sampleSizePerGroup(a, b, level, power), 9);
  });

  it('is infinite if nothing differs', () =>
    expect(sampleSizePerGroup(0.5, 0.5, 0.05, 0.8)).toBe(Number.POSITIVE_INFINITY));
});
