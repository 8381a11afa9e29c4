import { describe, expect, it } from 'vitest';
import {
  cardReport,
  eciOf,
  expiryOf,
  networkCode,
  networkPart,
  networkTransactionId,
} from '#shared/psp/kit/card-report.ts';

describe('a card as a provider tells it', () => {
  it.each([
    ['Visa', 'visa'],
    ['American Express', 'amex'],
    ['DINERS CLUB', 'diners'],
    ['MasterCard', 'mastercard'],
    ['mc', 'mastercard'],
    ['Carte Bleue', 'cartes_bancaires'],
    ['RuPay', 'rupay'],
    ['Elo', 'elo'],
    [' Unknown ', undefined],
    ['4111111111111111', undefined],
    ['<script>', 'script'],
    ['x'.repeat(31), undefined],
    ['', undefined],
    [null, undefined],
    [{}, undefined],
  ])('has the brand of %j as %j', (brand, expected) => expect(cardReport({ brand })?.brand).toBe(expected));

  it.each([
    ['4242', '4242'],
    [4567, '4567'],
    ['424242******1234', '1234'],
    ['42', undefined],
    ['4242x', undefined],
  ])('has the last four digits of %j as %j', (last4, expected) => expect(cardReport({ last4 })?.last4).toBe(expected));

  it.each([
    ['CREDIT', 'credit'],
    ['debit', 'debit'],
    ['prepaid', 'prepaid'],
    ['deferred-debit', undefined],
  ])('is of the kind that %j says: %j', (funding, expected) => expect(cardReport({ funding })?.funding).toBe(expected));

  it.each([
    ['DE', 'DE'],
    ['de', 'DE'],
    ['NIGERIA NG', 'NG'],
    ['NIGERIA', undefined],
    ['DEU', undefined],
  ])('is of the country that %j says: %j', (country, expected) =>
    expect(cardReport({ country })?.issuer_country).toBe(expected),
  );

  it.each([
    ['09/29', { exp_month: 9, exp_year: 2029 }],
    ['9/2029', { exp_month: 9, exp_year: 2029 }],
    ['13/29', { exp_year: 2029 }],
    ['00/1999', undefined],
    ['2/2/2', undefined],
    [undefined, undefined],
  ])('ends when %j says', (text, expected) => expect(cardReport(expiryOf(text))).toEqual(expected));

  it('is missing, with its report, where nothing was told', () => {
    expect(cardReport({})).toBeUndefined();
    expect(networkPart({ card: undefined, eci: undefined })).toEqual({});
    expect(networkPart({ eci: '05', cvc: undefined })).toEqual({ network: { eci: '05' } });
  });
});

describe('a code of a network', () => {
  it.each([
    ['51', '51'],
    [5, '5'],
    ['AM04', 'AM04'],
    ['insufficient funds', undefined],
    ['123456789', undefined],
    [undefined, undefined],
  ])('is %j as %j', (code, expected) => expect(networkCode(code)).toBe(expected));

  it.each([
    ['5', '05'],
    [2, '02'],
    ['07', '07'],
    ['yes', undefined],
    ['123', undefined],
  ])('has the indicator %j as %j', (code, expected) => expect(eciOf(code)).toBe(expected));

  it.each([
    ['MCC1234560701', 'MCC1234560701'],
    [' 0123 ', '0123'],
    ['a', undefined],
    ['a\nb c', undefined],
    ['x'.repeat(65), undefined],
  ])('has the transaction id %j as %j', (id, expected) => expect(networkTransactionId(id)).toBe(expected));
});
