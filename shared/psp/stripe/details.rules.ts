import type {
  MerchantInitiated,
  OrderLine,
  PaymentDetails,
  Sca,
} from '#shared/domain/payments/payment-details.model.ts';
import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { cut, nonEmpty, statementOf, statementText } from '#shared/psp/kit/details.ts';
import { orderLinesOf } from '#shared/psp/kit/order-lines.ts';
import type { FormValue } from '#shared/psp/kit/requests.ts';
import { METHOD_TYPES, SAVED_METHODS } from '#shared/psp/stripe/capabilities.ts';
import { stripeUnits } from '#shared/psp/stripe/money.rules.ts';

type Params = { readonly [name: string]: FormValue };

export const takesCards = ({ method }: Pick<ChargeOrder, 'method'>): boolean =>
  METHOD_TYPES[method]?.includes('card') ?? false;

/** Whether Stripe is asked to keep the method. A charge without the customer cannot set one up. */
export const isKept = ({ save, method, offSession }: ChargeOrder): boolean =>
  save !== undefined && !offSession && SAVED_METHODS.includes(method);

/**
 * What a payment intent takes of the details. The billing address and the browser belong to the token, which Stripe's
 * library has made with them, and exemptions are Stripe's own choice.
 */
export function intentDetails(order: ChargeOrder): Params {
  return { ...intentDataDetails(order), ...orderDetails(order) };
}

/** What a page hands on to the intent that it makes. */
export function intentDataDetails(order: ChargeOrder): Params {
  const { details = {} } = order;
  return { shipping: shippingOf(details), ...statement(details, takesCards(order)) };
}

/** Stripe refuses a parcel without its name, or without its street. */
function shippingOf({ shipping: { name, phone, address } = {} }: PaymentDetails): Params | undefined {
  if (!name || !address?.line1) return undefined;
  return { name: cut(name, MAX_TEXT), phone, address: { ...address } };
}

const MAX_TEXT = 5_000;

const STATEMENT = { max: 22, refused: /[<>\\'"*]/g } as const;

/** A card's statement begins with the account's own text, and only a suffix may be sent. It needs a letter. */
function statement(details: PaymentDetails, isCard: boolean): Params {
  if (!isCard) return withLetter('statement_descriptor', statementText(statementOf(details), { ...STATEMENT, min: 5 }));
  const suffix = details.statement_descriptor_suffix ?? details.statement_descriptor;
  return withLetter('statement_descriptor_suffix', statementText(suffix, STATEMENT));
}

const withLetter = (name: string, text: string | undefined): Params =>
  text && /[A-Za-z]/.test(text) ? { [name]: text } : {};

/** Methods whose networks or lenders look at the lines. */
const LINE_METHODS: ReadonlySet<string> = new Set(['card', 'wallet', 'klarna']);

const MAX_LINES = 200;

/** The sums are ours to check: with an error in them, the charge is to go on. */
function orderDetails(order: ChargeOrder): Params {
  const reference = cut(order.details?.order?.reference, 25);
  const lines = LINE_METHODS.has(order.method) ? (lineItems(order) ?? []) : [];
  return {
    payment_details: reference && { order_reference: reference },
    amount_details: lines.length > 0 ? { line_items: lines, enforce_arithmetic_validation: false } : undefined,
  };
}

function lineItems(order: ChargeOrder): readonly Params[] | undefined {
  const lines = orderLinesOf(order) ?? [];
  if (
    lines.length > MAX_LINES ||
    lines.some(({ unit_amount, total_amount }) => Math.min(unit_amount, total_amount) < 0)
  )
    return undefined;
  const items = lines.map((line) => lineItem(line, order));
  return items.every((item) => item !== undefined) ? items : undefined;
}

function lineItem(line: OrderLine, order: ChargeOrder): Params | undefined {
  const units = (amount: number) => (amount === 0 ? 0 : stripeUnits(amount, order.currency, order.method));
  const [unit_cost, discount] = [units(line.unit_amount), units(line.discount_amount ?? 0)];
  if (unit_cost === undefined || discount === undefined) return undefined;
  return {
    product_name: cut(line.name, 1_024) ?? 'Item',
    product_code: cut(line.sku, 12),
    quantity: line.quantity,
    unit_cost,
    discount_amount: discount > 0 ? discount : undefined,
    payment_method_options: order.method === 'klarna' ? klarnaLine(line) : undefined,
  };
}

function klarnaLine({ url, image_url, sku }: OrderLine): Params | undefined {
  const klarna = nonEmpty({ product_url: url, image_url, reference: cut(sku, 255) });
  return klarna && { klarna };
}

/** The lines of a page, which shows them. Its total is their sum, so that they need a price of their own. */
export function pageLines(order: ChargeOrder): readonly (OrderLine & { readonly units: number })[] | undefined {
  const lines = orderLinesOf(order);
  if (lines === undefined || lines.length > 100) return undefined;
  const priced = lines.map((line) => ({ ...line, units: pageUnits(line, order) }));
  return priced.every(({ units }) => units !== undefined)
    ? priced.map(({ units = 0, ...line }) => ({ ...line, units }))
    : undefined;
}

function pageUnits({ unit_amount, discount_amount = 0 }: OrderLine, order: ChargeOrder): number | undefined {
  if (unit_amount === 0 && discount_amount === 0) return 0;
  return unit_amount < 0 || discount_amount !== 0 ? undefined : stripeUnits(unit_amount, order.currency, order.method);
}

/** Without a preference, Stripe decides by itself. */
const CHALLENGES: Readonly<Record<NonNullable<Sca['challenge']>, string | undefined>> = {
  preferred: 'any',
  required: 'challenge',
  avoid: undefined,
};

const USAGES: Readonly<Record<MerchantInitiated['reason'], string>> = {
  recurring: 'recurring',
  instalment: 'installment',
  unscheduled: 'unscheduled',
};

/** Options of cards. Stripe finds the network's id of the first payment by itself. */
export function cardOptions({ details, offSession }: ChargeOrder): Params {
  const { sca, mit } = details ?? {};
  return {
    request_three_d_secure: sca?.challenge && !offSession ? CHALLENGES[sca.challenge] : undefined,
    stored_credential_usage: mit && offSession ? USAGES[mit.reason] : undefined,
  };
}
