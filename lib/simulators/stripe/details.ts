import { invalid, missingParameter } from '#lib/simulators/stripe/errors.ts';
import { type Form, formAt, integerAt, isForm, textAt } from '#lib/simulators/stripe/form.ts';

const MAX_STATEMENT = 22;

/** Stripe's rules for what it passes on of customer and order. `types`: the payment method types of the intent. */
export function checkDetails(input: Form, types: readonly string[], amount: number): void {
  checkShipping(formAt(input, 'shipping'));
  checkStatement(input, types);
  checkLines(formAt(input, 'amount_details'), amount);
  const usage = textAt(input, 'payment_method_options', 'card', 'stored_credential_usage');
  if (usage !== null && textAt(input, 'setup_future_usage') !== null)
    throw invalid('You cannot use `stored_credential_usage` with `setup_future_usage`.', {
      param: 'payment_method_options[card][stored_credential_usage]',
    });
}

function checkShipping(shipping: Form): void {
  if (Object.keys(shipping).length === 0) return;
  if (textAt(shipping, 'name') === null) throw missingParameter('shipping[name]');
  if (textAt(shipping, 'address', 'line1') === null) throw missingParameter('shipping[address][line1]');
  const country = textAt(shipping, 'address', 'country');
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    throw invalid(`Country '${country}' is unknown. Try using a 2-character alphanumeric country code instead.`, {
      param: 'shipping[address][country]',
    });
}

function checkStatement(input: Form, types: readonly string[]): void {
  const isCardOnly = types.length > 0 && types.every((type) => type === 'card');
  if (isCardOnly && textAt(input, 'statement_descriptor') !== null)
    throw invalid(
      'For cards, `statement_descriptor` is no longer supported. Please use `statement_descriptor_suffix` instead.',
      { param: 'statement_descriptor' },
    );
  for (const param of ['statement_descriptor', 'statement_descriptor_suffix']) {
    const text = textAt(input, param);
    if (text !== null) checkStatementText(text, param);
  }
}

function checkStatementText(text: string, param: string): void {
  if (text.length > MAX_STATEMENT)
    throw invalid(`The statement descriptor must be at most ${MAX_STATEMENT} characters.`, { param });
  if (/[<>\\'"*]/.test(text))
    throw invalid('The statement descriptor may not include the characters < > \\ \' " *', { param });
  if (!/[A-Za-z]/.test(text))
    throw invalid('The statement descriptor must contain at least one alphabetic character.', { param });
}

/** The lines, their taxes and the shipping are to be the intent's amount, unless the request lets that pass. */
function checkLines(details: Form, amount: number): void {
  const lines = Array.isArray(details.line_items) ? details.line_items.filter(isForm) : [];
  for (const [index, line] of lines.entries()) checkLine(line, `amount_details[line_items][${index}]`);
  if (lines.length === 0 || textAt(details, 'enforce_arithmetic_validation') === 'false') return;
  const total = lines.reduce((sum, line) => sum + lineTotal(line), 0) + Number(textAt(details, 'shipping', 'amount'));
  if (total !== amount)
    throw invalid(`The sum of the line items (${total}) does not match the amount (${amount}).`, {
      param: 'amount_details[line_items]',
    });
}

const lineTotal = (line: Form): number =>
  (integerAt(line, 'quantity') ?? 0) * (integerAt(line, 'unit_cost') ?? 0) -
  (integerAt(line, 'discount_amount') ?? 0) +
  Number(textAt(line, 'tax', 'total_tax_amount'));

function checkLine(line: Form, at: string): void {
  for (const name of ['product_name', 'quantity', 'unit_cost'])
    if (textAt(line, name) === null) throw missingParameter(`${at}[${name}]`);
  if ((textAt(line, 'product_name') ?? '').length > 1_024 || (textAt(line, 'product_code') ?? '').length > 12)
    throw invalid('The line item is too long.', { param: at });
  if ((integerAt(line, 'quantity') ?? 0) < 1 || (integerAt(line, 'unit_cost') ?? 0) < 0)
    throw invalid('The quantity must be at least 1, and the unit cost at least 0.', { param: at });
}
