import type { PaymentMethodBody } from '#functions/payments/payments.schema.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Means } from '#shared/ports/retry-budget.port.ts';
import type { SealedPlace } from '#shared/ports/vault.port.ts';

/** What lies in `sealed_method`, opened: the client's payment method, or just its type where there is nothing to hide. */
export type Instrument = Pick<PaymentMethodBody, 'type' | 'token' | 'tokens' | 'phone' | 'network' | 'bank'>;

const placeOf = ({ id, org_id }: Pick<Payment, 'id' | 'org_id'>): SealedPlace => ({ orgId: org_id, purpose: 'payment_method', id });

/** Everything that tells who pays is sealed with the payment; undefined where there is no such thing. */
export async function sealMethod(
  method: PaymentMethodBody | undefined,
  payment: Pick<Payment, 'id' | 'org_id'>,
  { vault }: Pick<Deps, 'vault'>,
): Promise<string | null> {
  if (!method) return null;
  const { return_url: _, ...instrument } = method;
  if (Object.keys(instrument).length === 1) return null;
  return vault.seal(new Secret(JSON.stringify(instrument)), placeOf(payment));
}

export async function openMethod(payment: Payment, { vault }: Pick<Deps, 'vault'>): Promise<Instrument> {
  if (payment.sealed_method === null) return { type: payment.method };
  const text = await vault.open(payment.sealed_method, placeOf(payment));
  return JSON.parse(text.reveal()) as Instrument;
}

export function tokenFor(instrument: Instrument, provider: string): Instrument['token'] {
  return instrument.tokens ? instrument.tokens[provider as keyof typeof instrument.tokens] : instrument.token;
}

export type Armed = { readonly instrument: Instrument; readonly changes: Partial<Pick<Payment, 'sealed_method' | 'return_url'>> };

/** What a later step of a payment is paid with: a newly given payment method, or the one it has. */
export async function arm(payment: Payment, given: PaymentMethodBody | undefined, deps: Pick<Deps, 'vault'>): Promise<Armed> {
  if (!given) return { instrument: await openMethod(payment, deps), changes: {} };
  if (given.type !== payment.method) throw invalidFields([{ path: 'payment_method.type', message: 'This must equal the method of the payment.' }]);
  return { instrument: given, changes: { sealed_method: await sealMethod(given, payment, deps), return_url: given.return_url ?? payment.return_url } };
}

/** Tokens of several providers are one means of payment: each of them counts, and may refuse. Without any, who pays is not known to us. */
export function meansOf({ org_id }: Payment, { token, tokens }: Instrument, provider: string): readonly Means[] {
  const known = tokens ? Object.entries(tokens) : token === undefined ? [] : [[provider, token] as const];
  return known.flatMap(([name, value]) => (value === undefined ? [] : [{ orgId: org_id, provider: name, token: canonical(value) }]));
}

/** The order of an object's fields says nothing. */
const canonical = (token: string | Readonly<Record<string, string>>): string =>
  JSON.stringify(typeof token === 'string' ? token : Object.entries(token).sort());
