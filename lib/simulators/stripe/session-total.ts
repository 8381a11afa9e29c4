import { invalid, missing, noSuch } from '#lib/simulators/stripe/errors.ts';
import { type Form, formAt, integerAt, isForm, textAt } from '#lib/simulators/stripe/form.ts';

/** What the customer is to pay: all lines together, which must be of one currency. */
export function total(input: Form): { readonly amount: number; readonly currency: string } {
  const lines = Array.isArray(input.line_items) ? input.line_items.filter(isForm) : [];
  if (lines.length === 0) throw missing('line_items');
  const priced = lines.map((line, index) => lineTotal(line, `line_items[${index}]`));
  const currency = priced[0]?.currency ?? '';
  if (priced.some((line) => line.currency !== currency))
    throw invalid('All line items must have the same currency.', { param: 'line_items' });
  return { amount: priced.reduce((sum, line) => sum + line.amount, 0), currency };
}

function lineTotal(line: Form, at: string): { readonly amount: number; readonly currency: string } {
  const price = textAt(line, 'price');
  if (price !== null) throw noSuch('price', price, `${at}[price]`, 400);
  const data = formAt(line, 'price_data');
  const currency = textAt(data, 'currency');
  const each = integerAt(data, 'unit_amount');
  const quantity = integerAt(line, 'quantity');
  if (currency === null) throw missing(`${at}[price_data][currency]`);
  if (textAt(data, 'product') === null && textAt(data, 'product_data', 'name') === null)
    throw missing(`${at}[price_data][product_data][name]`);
  if (each === null) throw missing(`${at}[price_data][unit_amount]`);
  if (quantity === null) throw missing(`${at}[quantity]`);
  return { amount: each * quantity, currency: currency.toLowerCase() };
}
