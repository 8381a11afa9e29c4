import { describe, expect, it } from 'vitest';
import type { OrderLine, PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { breakdownOf, initiatedBy, payerDetails, unitDetails } from '#shared/psp/paypal/details.rules.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

const orderOf = (details: PaymentDetails, more: Partial<ChargeOrder> = {}): ChargeOrder => ({
  ...AN_ORDER,
  ...more,
  details,
});
const withLines = (lines: readonly OrderLine[], more: Partial<ChargeOrder> = {}, shipping_amount?: number) =>
  orderOf({ order: { lines, ...(shipping_amount !== undefined && { shipping_amount }) } }, more);
const line = (total_amount: number, more: Partial<OrderLine> = {}): OrderLine => ({
  name: 'Mug',
  quantity: 1,
  unit_amount: total_amount,
  total_amount,
  ...more,
});

describe('order lines as PayPal takes them', () => {
  it.each<[string, ChargeOrder]>([
    ['lines that do not add up', withLines([line(100)], { amount: 101 })],
    ['an order of nothing but shipping', withLines([line(100, { kind: 'shipping' })], { amount: 100 })],
    ['prices finer than PayPal writes them', withLines([line(25_050)], { amount: 25_050, currency: 'HUF' })],
    ['a discount larger than the goods', withLines([line(100), line(-200)], { amount: 100 })],
  ])('are left out of %s', (_, order) => {
    expect([unitDetails(order), breakdownOf(order)]).toEqual([{}, {}]);
  });

  it('have shipping as a part of the amount', () => {
    const order = withLines([line(1_000)], { amount: 1_500 }, 500);
    expect(breakdownOf(order)).toEqual({
      breakdown: {
        item_total: { currency_code: 'EUR', value: '10.00' },
        shipping: { currency_code: 'EUR', value: '5.00' },
      },
    });
  });

  it('have no decimals where PayPal takes none', () => {
    const order = withLines([line(500)], { amount: 500, currency: 'JPY' });
    expect(unitDetails(order)).toMatchObject({ items: [{ unit_amount: { currency_code: 'JPY', value: '500' } }] });
  });

  it('name a gift in as many characters as PayPal takes', () => {
    const [item] = unitDetails(withLines([line(100, { name: '😀'.repeat(100) })], { amount: 100 })).items as [
      { name: string },
    ];
    expect([item.name.length <= 127, item.name.isWellFormed()]).toEqual([true, true]);
  });
});

describe('a reference to the first charge of a card', () => {
  it.each([
    ['MCC1ABCDE0131', { id: 'MCC1ABCDE', date: '0131' }],
    ['MCC1ABCDE 0131', { id: 'MCC1ABCDE', date: '0131' }],
    ['777718270854480', { id: '777718270854480' }],
    ['MCC1ABCDE', undefined],
    ['x'.repeat(37), undefined],
  ])('%s is sent as PayPal wants it, or not at all', (network_transaction_id, reference) => {
    const order = orderOf({ mit: { reason: 'recurring', network_transaction_id } });
    expect(initiatedBy(order).previous_network_transaction_reference).toEqual(reference);
  });
});

describe('a parcel', () => {
  const to = (country: string, state: string) => ({
    line1: '1 Main St',
    city: 'Town',
    postal_code: '1',
    country,
    state,
  });
  it.each([
    ['US', 'ca', 'CA'],
    ['US', 'US-CA', 'CA'],
    ['CA', 'ON', 'ON'],
    ['JP', 'Tokyo', 'Tokyo'],
    ['DE', 'Bayern', 'Bayern'],
  ])('goes to a state of %s: %s', (country, state, admin_area_1) => {
    const order = orderOf({ shipping: { address: to(country, state) } });
    expect(unitDetails(order)).toMatchObject({ shipping: { address: { admin_area_1 } } });
  });

  it.each([
    ['US', 'California'],
    ['CA', ' '],
    ['JP', ''],
  ])('to %s goes nowhere if its state is "%s"', (country, state) => {
    expect(unitDetails(orderOf({ shipping: { address: to(country, state) } }))).toEqual({});
  });

  it('leaves a state in words out of the payer too', () => {
    expect(payerDetails({ billing: { address: { country: 'US', state: 'Texas' } } })).toEqual({
      address: { country_code: 'US' },
    });
  });
});

describe('the payer of a page', () => {
  it('is nobody where nothing is known', () => expect(payerDetails({ billing: { address: {} } })).toEqual({}));

  it('lives in China by the code of PayPal', () => {
    const address = { line1: '1 Nanjing Road', city: 'Shanghai', country: 'CN' };
    expect(payerDetails({ billing: { address } })).toMatchObject({ address: { country_code: 'C2' } });
  });

  it('has a last name, if the name is one word', () => {
    expect(payerDetails({ billing: { name: 'Cher' } })).toEqual({ name: { surname: 'Cher' } });
  });
});
