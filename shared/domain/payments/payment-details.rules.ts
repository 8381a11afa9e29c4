import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Order, OrderLine, PaymentDetails, Sca } from '#shared/domain/payments/payment-details.model.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';

/** Of all details together, as JSON. They are stored with the payment while it may be charged. */
const MAX_DETAILS_BYTES = 16 * 1024;

/** Throws if details contradict each other, or the payment. Each of them alone is valid. */
export function assertDetailsAgree(details: PaymentDetails, payment: Pick<Payment, 'amount'>): void {
  const faults = [...sizeFaults(details), ...contradictions(details), ...orderFaults(details.order, payment.amount)];
  if (faults.length > 0) throw invalidFields(faults);
}

function sizeFaults(details: PaymentDetails): readonly FieldError[] {
  const sizes = Object.entries(details).map(([path, value]) => ({ path, size: bytesOf(value) }));
  const [largest] = sizes.sort((a, b) => b.size - a.size);
  if (!largest || bytesOf(details) <= MAX_DETAILS_BYTES) return [];
  const message = `Is too long: all details together may have ${MAX_DETAILS_BYTES} bytes. Send fewer or shorter texts.`;
  return [{ path: largest.path, message }];
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function contradictions({ browser, sca, mit }: PaymentDetails): readonly FieldError[] {
  const absent = 'mit says that the customer is absent. Leave this out, or mit.';
  return [
    ...(mit && browser ? [{ path: 'browser', message: `Must not be with mit: ${absent}` }] : []),
    ...(mit && wantsChallenge(sca) ? [{ path: 'sca.challenge', message: `Must not be with mit: ${absent}` }] : []),
    ...(sca?.challenge === 'required' && sca.exemption
      ? [{ path: 'sca.exemption', message: 'Must not be with challenge "required": an exemption asks for none.' }]
      : []),
  ];
}

const wantsChallenge = (sca: Sca | undefined): boolean =>
  sca?.challenge === 'required' || sca?.challenge === 'preferred';

/** Providers refuse an order that does not add up, or show the customer another amount. */
function orderFaults(order: Order | undefined, amount: number): readonly FieldError[] {
  if (!order) return [];
  const { lines, shipping_amount = 0, tax_amount } = order;
  const lineFaults = lines?.flatMap(faultsOfLine) ?? [];
  return [
    ...lineFaults,
    ...(lines && lineFaults.length === 0 ? sumFaults(lines, shipping_amount, amount) : []),
    ...partFaults('order.tax_amount', tax_amount, amount),
    ...partFaults('order.shipping_amount', order.shipping_amount, amount),
    ...taxFaults(lines ?? [], tax_amount),
  ];
}

function faultsOfLine(line: OrderLine, n: number): readonly FieldError[] {
  const { quantity, unit_amount, discount_amount = 0, total_amount, tax_amount = 0, kind } = line;
  const total = quantity * unit_amount - discount_amount;
  const isReduction = kind === 'discount' || kind === 'gift_card';
  return [
    ...(total === total_amount
      ? []
      : [
          {
            path: `order.lines.${n}.total_amount`,
            message: `Must be quantity x unit_amount - discount_amount: ${total}.`,
          },
        ]),
    ...(total_amount < 0 && !isReduction
      ? [{ path: `order.lines.${n}.total_amount`, message: 'Only a discount or gift_card may be below 0.' }]
      : []),
    ...(isPartOf(total_amount, tax_amount)
      ? []
      : [{ path: `order.lines.${n}.tax_amount`, message: 'Must be from 0 to total_amount, which includes it.' }]),
  ];
}

/** A discount takes its tax off, too. */
const isPartOf = (total: number, tax: number): boolean => tax >= Math.min(total, 0) && tax <= Math.max(total, 0);

function sumFaults(lines: readonly OrderLine[], shipping: number, amount: number): readonly FieldError[] {
  const sum = lines.reduce((total, { total_amount }) => total + total_amount, shipping);
  if (sum === amount) return [];
  const message =
    `The lines and shipping_amount come to ${sum}, and the payment to ${amount}. Send all lines, tax included, or ` +
    'none.';
  return [{ path: 'order.lines', message }];
}

const partFaults = (path: string, part: number | undefined, amount: number): readonly FieldError[] =>
  part !== undefined && part > amount ? [{ path, message: `Must be at most the payment's amount, ${amount}.` }] : [];

function taxFaults(lines: readonly OrderLine[], tax: number | undefined): readonly FieldError[] {
  const sum = lines.reduce((total, { tax_amount = 0 }) => total + tax_amount, 0);
  return tax === undefined || sum <= tax
    ? []
    : [{ path: 'order.tax_amount', message: `Must be at least the tax of its lines, ${sum}.` }];
}
