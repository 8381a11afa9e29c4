import { describe, expect, it } from 'vitest';
import type { PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { paymentDetails, sharedDetails } from '#shared/psp/adyen/details.rules.ts';
import { networkReport, savedToken } from '#shared/psp/adyen/report.rules.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

const sent = (details: PaymentDetails, more: Partial<ChargeOrder> = {}) => {
  const order = { ...AN_ORDER, ...more, details };
  return { ...sharedDetails(order), ...paymentDetails(order) } as Readonly<Record<string, unknown>>;
};
const addressOf = (line1: string, more: object = {}) =>
  sent({ billing: { address: { line1, city: 'X', postal_code: '1', country: 'DE', ...more } } }).billingAddress;

describe('an address as Adyen takes it', () => {
  it.each([
    ['Hauptstraße 12a', 'Hauptstraße', '12a'],
    ['Hauptstraße 12 - 14', 'Hauptstraße', '12 - 14'],
    ['Calle Mayor, 5', 'Calle Mayor', '5'],
    ['10 Downing Street', 'Downing Street', '10'],
    ['12bis rue de la Paix', '12bis rue de la Paix', 'N/A'],
    ['5th Avenue', '5th Avenue', 'N/A'],
    ['Am Markt', 'Am Markt', 'N/A'],
    ['  Am   Markt  7 ', 'Am Markt', '7'],
  ])('has the house number of "%s" in a field of its own', (line1, street, houseNumberOrName) => {
    expect(addressOf(line1)).toMatchObject({ street, houseNumberOrName });
  });

  it.each([
    ['a state as a code', { state: 'BE' }, 'BE'],
    ['a state with its country before it', { state: 'DE-BE' }, 'BE'],
    ['no state that is a word', { state: 'Berlin' }, undefined],
    ['what Adyen requires of an American address', { state: 'California', country: 'US' }, 'N/A'],
  ])('has %s', (_, more, state) => {
    expect((addressOf('A 1', more) as { stateOrProvince?: string }).stateOrProvince).toBe(state);
  });

  it('is none without a street or a postal code', () => {
    expect(sent({ billing: { address: { city: 'Berlin', country: 'DE' } } })).not.toHaveProperty('billingAddress');
  });
});

describe('a browser as Adyen takes it', () => {
  const browser = {
    user_agent: 'Firefox',
    accept_header: '*/*',
    language: 'de',
    color_depth: 24,
    screen_height: 1,
    screen_width: 1,
    time_zone_offset: 0,
    java_enabled: false,
    javascript_enabled: true,
  };

  it.each([
    [24, 24],
    [23, 16],
    [30, 30],
    [64, 48],
    [0, 1],
  ])('has instead of %i bits the next lower depth that 3-D Secure knows', (color_depth, colorDepth) => {
    expect(sent({ browser: { ...browser, color_depth } })).toMatchObject({ browserInfo: { colorDepth } });
  });

  it.each([
    ['https://shop.example/cart?id=1', 'https://shop.example'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['shop.example', undefined],
    [`https://${'a'.repeat(80)}.example`, undefined],
  ])('has of the page %s the origin alone, if it fits', (page, origin) => {
    expect(sent({ browser: { ...browser, origin: page } }).origin).toBe(origin);
  });
});

describe('lines as Adyen takes them', () => {
  it('are of one piece each, and one piece where the total is no multiple', () => {
    const lines = [
      { name: 'Pen', quantity: 3, unit_amount: 400, discount_amount: 100, total_amount: 1_100, tax_amount: 176 },
      {
        name: 'Voucher',
        quantity: 1,
        unit_amount: -100,
        total_amount: -100,
        tax_amount: -16,
        kind: 'discount' as const,
      },
    ];
    expect(sent({ order: { lines } }, { amount: 1_000 }).lineItems).toEqual([
      { description: '3 x Pen', quantity: 1, amountIncludingTax: 1_100, amountExcludingTax: 924, taxAmount: 176 },
      { description: 'Voucher', quantity: 1, amountIncludingTax: -100, amountExcludingTax: -84, taxAmount: -16 },
    ]);
  });

  it('are in the units of Adyen', () => {
    const lines = [{ name: 'Rice', quantity: 1, unit_amount: 5_000, total_amount: 5_000 }];
    const order = { amount: 5_000, currency: 'ISK' };
    expect(sent({ order: { lines } }, order).lineItems).toMatchObject([{ amountIncludingTax: 500_000 }]);
  });
});

describe('the report of Adyen', () => {
  it.each([
    ['1 Address matches, but not the postal code', { address: 'match', postal_code: 'mismatch' }],
    ['9 Address matches, postal code unknown', { address: 'match', postal_code: 'unchecked' }],
    ['16 Postal code does not match, address unknown', { address: 'unchecked', postal_code: 'mismatch' }],
    ['20 Name, address and postal code match', { address: 'match', postal_code: 'match' }],
    ['22 Name matches', undefined],
    ['100 unknown', undefined],
  ])('reads the address check "%s"', (avsResult, avs) => {
    expect(networkReport({ data: { avsResult } }).network?.avs).toEqual(avs);
  });

  it.each([
    ['05 : Do not honor', '05'],
    ['N7 : CVV2 failure', 'N7'],
    ['51', '51'],
    ['DECLINED Expiry Incorrect', undefined],
    ['4111111111111111', undefined],
  ])('takes from the raw reason "%s" only a code of an issuer', (refusalReasonRaw, code) => {
    expect(networkReport({ data: { refusalReasonRaw }, refused: true }).network?.network_decline_code).toBe(code);
  });

  it('tells no code of an issuer of a charge that was approved', () => {
    expect(networkReport({ data: { refusalReasonRaw: '00 : Approved', merchantAdviceCode: '01' } })).toEqual({});
  });

  it('calls nothing a token that has no shopper', () => {
    const data = { 'tokenization.storedPaymentMethodId': 'M5N7TQ4TG5PFWR50' };
    expect(savedToken({ data })).toEqual({});
    expect(savedToken({ data }, { customer: 'cus_1' })).toEqual({
      saved: { storedPaymentMethodId: 'M5N7TQ4TG5PFWR50', shopperReference: 'cus_1' },
    });
  });
});
