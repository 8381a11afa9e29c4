import type { NextAction, Payment } from '#shared/domain/payments/payment.model.ts';
import { type FieldError, invalidFields } from '#shared/kernel/errors.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

type Input = Readonly<Record<string, unknown>>;
type ConfirmationInput = { readonly payment_method?: unknown; readonly input?: Input };

/** An address has parts; every other field is a single value. */
const PARTS: Readonly<Record<string, readonly string[]>> = { address: ['address', 'city', 'state', 'zip_code'] };

/**
 * Throws on any input that `next_action` does not ask for. Empty input is fine: it only refreshes the status.
 */
export function assertInputExpected(payment: Payment, input: Input): void {
  const faults = faultsIn(payment, { input });
  if (faults.length > 0) throw invalidFields(faults);
}

/** Faults: input that `next_action` does not ask for, and a method for a payment that has one already. */
export function faultsIn(
  { status, next_action }: Payment,
  { payment_method, input = {} }: ConfirmationInput,
  adapter?: PspAdapter,
): readonly FieldError[] {
  const names = Object.keys(input);
  const faults =
    next_action?.type === 'collect' && names.length > 0
      ? collectFaults(next_action, names)
      : uninvitedFaults(next_action, input, adapter);
  return payment_method === undefined || status === 'created' ? faults : [METHOD_TOO_LATE, ...faults];
}

const METHOD_TOO_LATE: FieldError = {
  path: 'payment_method',
  message: 'The payment is under way already; a method counts while it is created.',
};

function collectFaults(
  { field }: Extract<NextAction, { type: 'collect' }>,
  names: readonly string[],
): readonly FieldError[] {
  const parts = PARTS[field] ?? [field];
  const missing = parts.filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => ({ path: `input.${name}`, message: 'Is required: the customer was asked for it.' })),
    ...names
      .filter((name) => !parts.includes(name))
      .map((name) => ({ path: `input.${name}`, message: `The customer was asked for ${field}.` })),
  ];
}

/**
 * After a redirect only the parameters that the provider's adapter reads are taken; the result of the provider's own
 * component is passed through.
 */
function uninvitedFaults(
  action: NextAction | null,
  input: Input,
  adapter: PspAdapter | undefined,
): readonly FieldError[] {
  if (action?.type === 'sdk') return [];
  const texts = Object.entries(input).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const brought = adapter?.readReturn?.(Object.fromEntries(texts)) ?? {};
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(brought, name))
    .map((name) => ({ path: `input.${name}`, message: 'The customer was asked for nothing.' }));
}
