import { describe, expect, it } from 'vitest';
import { amountText, exponentOf, parseAmount } from '#client/dashboard/i18n/currencies.ts';
import { formatsFor } from '#client/dashboard/i18n/formats.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

it('counts the decimals of every currency as the API does', () => {
  const here = Object.keys(CURRENCIES).map((currency) => [currency, exponentOf(currency)]);
  expect(Object.fromEntries(here)).toEqual(CURRENCIES);
});

describe('an amount that somebody types', () => {
  it.each([
    ['12.50', 'EUR', 1_250],
    ['12,50', 'EUR', 1_250],
    ['12.5', 'EUR', 1_250],
    [' 12 ', 'EUR', 1_200],
    ['0.01', 'USD', 1],
    ['500', 'JPY', 500],
    ['1.234', 'KWD', 1_234],
    ['007.10', 'EUR', 710],
  ])('%s %s is %i minor units', (text, currency, amount) => expect(parseAmount(text, currency)).toBe(amount));

  it.each([
    ['500.5', 'JPY'],
    ['12.505', 'EUR'],
    ['1,234.50', 'EUR'],
    ['-5', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['€5', 'EUR'],
    ['.', 'EUR'],
    ['1234567890123', 'EUR'],
  ])('%j is no amount of %s, rather than a guess', (text, currency) =>
    expect(parseAmount(text, currency)).toBeUndefined(),
  );

  it.each([
    [1_250, 'EUR', '12.50'],
    [5, 'EUR', '0.05'],
    [500, 'JPY', '500'],
    [1, 'KWD', '0.001'],
  ])('%i minor units of %s are shown as %s, which is read as the same amount', (amount, currency, text) => {
    expect(amountText(amount, currency)).toBe(text);
    expect(parseAmount(text, currency)).toBe(amount);
  });
});

describe('an amount that somebody reads', () => {
  const { money, moneyBare, moneyShort } = formatsFor('en-GB');

  it('has the decimals that the service counts in, also where a browser would show others', () => {
    expect(money(1_250, 'EUR')).toBe('€12.50');
    expect(money(500, 'JPY')).toBe('¥500 JPY');
    expect(money(1_234, 'KWD')).toBe('KWD\u00a01.234');
    expect(money(123_456, 'IQD')).toBe('IQD\u00a0123.456');
  });

  it('has the plain sign where the code stands beside it', () => expect(moneyBare(500, 'JPY')).toBe('¥500'));

  it('is short from ten thousand on', () => {
    expect(moneyShort(999_949, 'EUR')).toBe('€9,999');
    expect(moneyShort(1_234_500, 'EUR')).toBe('€12.3k');
    expect(moneyShort(-2_000_000, 'EUR')).toBe('-€20k');
  });
});
