import type { Payment } from '#shared/domain/payment.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';

type Input = Readonly<Record<string, unknown>>;

/** An address has parts; everything else is given whole. */
const PARTS: Readonly<Record<string, readonly string[]>> = { address: ['address', 'city', 'state', 'zip_code'] };

/** Of a customer who was asked for one thing nothing else is passed on; giving nothing at all only looks how the payment stands. */
export function refuseOtherInput({ next_action }: Payment, input: Input): void {
  const given = Object.keys(input);
  if (next_action?.type !== 'collect' || given.length === 0) return;
  const { field } = next_action;
  const parts = PARTS[field] ?? [field];
  const faults = given.filter((name) => !parts.includes(name)).map((name) => ({ path: `input.${name}`, message: `The customer was asked for ${field}.` }));
  const missing = parts
    .filter((name) => !given.includes(name))
    .map((name) => ({ path: `input.${name}`, message: 'Is required: the customer was asked for it.' }));
  if (faults.length + missing.length > 0) throw invalidFields([...missing, ...faults]);
}
