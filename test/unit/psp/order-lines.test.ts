import { describe, expect, it } from 'vitest';
import type { Order, OrderLine } from '#shared/domain/payments/payment-details.model.ts';
import { orderLinesOf } from '#shared/psp/kit/order-lines.ts';
import { AN_ORDER } from '#test/contract/psp.contract.ts';

const line = (change: Partial<OrderLine> = {}): OrderLine => ({
  name: 'Mug',
  quantity: 2,
  unit_amount: 500,
  total_amount: 1000,
  ...change,
});
const linesOf = (order: Order | undefined) => orderLinesOf({ ...AN_ORDER, ...(order && { details: { order } }) });

describe('the lines of an order', () => {
  it('are sent as they are if they are worth the payment', () => {
    const lines = [
      line({ tax_amount: 160 }),
      line({ quantity: 1, unit_amount: 199, discount_amount: 100, total_amount: 99 }),
    ];
    expect(linesOf({ lines })).toEqual(lines);
    expect(linesOf({ lines, shipping_amount: 99 })).toEqual(lines);
  });

  it('get the shipping as a line where that makes them worth the payment', () => {
    expect(linesOf({ lines: [line()], shipping_amount: 99 })).toEqual([
      line(),
      { name: 'Shipping', quantity: 1, unit_amount: 99, total_amount: 99, kind: 'shipping' },
    ]);
  });

  it.each<[string, Order | undefined]>([
    ['there are none', undefined],
    ['the list is empty', { lines: [], shipping_amount: 1099 }],
    ['they are worth less', { lines: [line()] }],
    ['they are worth more', { lines: [line({ unit_amount: 550, total_amount: 1100 })] }],
    ['a line does not add up', { lines: [line({ total_amount: 1099 })] }],
    ['a line has no quantity', { lines: [line({ quantity: 0, total_amount: 0 }), line()], shipping_amount: 99 }],
    ['a tax is more than its line', { lines: [line({ tax_amount: 1001 })], shipping_amount: 99 }],
  ])('are left out if %s', (_, order) => expect(linesOf(order)).toBeUndefined());
});
