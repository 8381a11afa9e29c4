import type { OrderLine } from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';

/**
 * The lines of what is bought, with the shipping as a line of its own. Providers refuse a charge whose lines do not add
 * up, so such lines are left out: the charge matters more.
 */
export function orderLinesOf({ amount, details }: ChargeOrder): readonly OrderLine[] | undefined {
  const { lines = [], shipping_amount = 0 } = details?.order ?? {};
  if (lines.length === 0 || !lines.every(addsUp)) return undefined;
  const total = lines.reduce((sum, line) => sum + line.total_amount, 0);
  if (total === amount) return lines;
  return total + shipping_amount === amount ? [...lines, shippingLine(shipping_amount)] : undefined;
}

/** Its tax is within the total, and its discount was taken off. */
const addsUp = ({ quantity, unit_amount, discount_amount = 0, total_amount, tax_amount = 0 }: OrderLine): boolean =>
  quantity > 0 &&
  unit_amount * quantity - discount_amount === total_amount &&
  Math.abs(tax_amount) <= Math.abs(total_amount);

const shippingLine = (amount: number): OrderLine => ({
  name: 'Shipping',
  quantity: 1,
  unit_amount: amount,
  total_amount: amount,
  kind: 'shipping',
});
