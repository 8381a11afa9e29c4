import type { NextAction, Payment } from '#shared/domain/payments/payment.model.ts';
import { PAYMENT_DETAILS, type PaymentDetails } from '#shared/domain/payments/payment-details.model.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';
import type { PspFacts } from '#shared/ports/psp.port.ts';

type CustomerInput = Readonly<Record<string, unknown>>;
type ConfirmationInput = PaymentDetails & { readonly payment_method?: unknown; readonly input?: CustomerInput };

/** The parts of a field that `next_action` asks for. Only an address has several. */
const FIELD_PARTS: Readonly<Record<string, readonly string[]>> = { address: ['address', 'city', 'state', 'zip_code'] };

/** Throws on any input that `next_action` does not ask for. Empty input is valid: it only refreshes the status. */
export function assertInputExpected(payment: Payment, input: CustomerInput): void {
  const errors = inputErrors(payment, { input });
  if (errors.length > 0) throw invalidFields(errors);
}

/**
 * Errors: input that `next_action` does not ask for, and a payment method or details for a payment that was sent with
 * its own.
 */
export function inputErrors(
  { status, next_action }: Payment,
  { payment_method, input = {}, ...details }: ConfirmationInput,
  adapter?: PspFacts,
): readonly FieldError[] {
  const names = Object.keys(input);
  const errors =
    next_action?.type === 'collect' && names.length > 0
      ? collectedInputErrors(next_action, names)
      : unexpectedInputErrors(next_action, input, adapter);
  if (status === 'created') return errors;
  const late = PAYMENT_DETAILS.filter((name) => details[name] !== undefined);
  return [...(payment_method === undefined ? [] : [METHOD_TOO_LATE]), ...late.map(detailTooLate), ...errors];
}

const METHOD_TOO_LATE: FieldError = {
  path: 'payment_method',
  message: 'This payment already has a payment method. Omit this field.',
};

const detailTooLate = (path: string): FieldError => ({
  path,
  message: 'The provider has this payment already, and takes no further details. Omit this field.',
});

function collectedInputErrors(
  { field }: Extract<NextAction, { type: 'collect' }>,
  names: readonly string[],
): readonly FieldError[] {
  const parts = FIELD_PARTS[field] ?? [field];
  const missing = parts.filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => ({ path: `input.${name}`, message: 'Is required: next_action asks for it.' })),
    ...names
      .filter((name) => !parts.includes(name))
      .map((name) => ({ path: `input.${name}`, message: `Is not expected: next_action asks for ${field}.` })),
  ];
}

/**
 * After a redirect only the parameters that the provider's adapter reads are accepted. The result of the provider's SDK
 * is passed on as it is.
 */
function unexpectedInputErrors(
  action: NextAction | null,
  input: CustomerInput,
  adapter: PspFacts | undefined,
): readonly FieldError[] {
  if (action?.type === 'sdk') return [];
  const textParameters = Object.entries(input).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const returnParameters = adapter?.readReturn?.(Object.fromEntries(textParameters)) ?? {};
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(returnParameters, name))
    .map((name) => ({ path: `input.${name}`, message: 'Is not expected: next_action does not ask for it.' }));
}
