import type { NextAction, Payment } from '#shared/domain/payment.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

type Input = Readonly<Record<string, unknown>>;
type Given = { readonly payment_method?: unknown; readonly input?: Input };
type Fault = { readonly path: string; readonly message: string };

/** An address has parts; everything else is given whole. */
const PARTS: Readonly<Record<string, readonly string[]>> = { address: ['address', 'city', 'state', 'zip_code'] };

/** Of a customer who was asked for one thing nothing else is passed on; giving nothing at all only looks how the payment stands. */
export function refuseOtherInput(payment: Payment, input: Input): void {
  const faults = faultsIn(payment, { input });
  if (faults.length > 0) throw invalidFields(faults);
}

/** What the payment, as it stands, has no use for: input that nobody asked for, or a method beside the one it is under way with. */
export function faultsIn({ status, next_action }: Payment, { payment_method, input = {} }: Given, adapter?: PspAdapter): readonly Fault[] {
  const given = Object.keys(input);
  const asked = next_action?.type === 'collect' && given.length > 0 ? notAsked(next_action, given) : unasked(next_action, input, adapter);
  return payment_method === undefined || status === 'created' ? asked : [LATE, ...asked];
}

const LATE: Fault = { path: 'payment_method', message: 'The payment is under way already; a method counts while it is created.' };

function notAsked({ field }: Extract<NextAction, { type: 'collect' }>, given: readonly string[]): readonly Fault[] {
  const parts = PARTS[field] ?? [field];
  const missing = parts.filter((name) => !given.includes(name));
  return [
    ...missing.map((name) => ({ path: `input.${name}`, message: 'Is required: the customer was asked for it.' })),
    ...given.filter((name) => !parts.includes(name)).map((name) => ({ path: `input.${name}`, message: `The customer was asked for ${field}.` })),
  ];
}

/** Coming back from a page she brings what that provider reads; what its own component gives is between the two. */
function unasked(action: NextAction | null, input: Input, adapter: PspAdapter | undefined): readonly Fault[] {
  if (action?.type === 'sdk') return [];
  const texts = Object.entries(input).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  const brought = adapter?.readReturn?.(Object.fromEntries(texts)) ?? {};
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(brought, name))
    .map((name) => ({ path: `input.${name}`, message: 'The customer was asked for nothing.' }));
}
