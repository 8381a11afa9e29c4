import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { PaymentMethodInput } from '#shared/domain/payments/payment-input.model.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import { Secret } from '#shared/kernel/secret.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { InstrumentKey } from '#shared/ports/retry-budget.port.ts';
import type { SealedPlace } from '#shared/ports/vault.port.ts';

/** The content of `sealed_method`: the client's payment method, or just its type where nothing is secret. */
export type Instrument = Pick<PaymentMethodInput, 'type' | 'token' | 'tokens' | 'phone' | 'network' | 'bank'>;

const placeOf = ({ id, org_id }: Pick<Payment, 'id' | 'org_id'>): SealedPlace => ({
  orgId: org_id,
  purpose: 'payment_method',
  id,
});

/** Seals all data that identifies the payer; null where there is none. */
export async function sealMethod(
  method: PaymentMethodInput | undefined,
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

type StepMethod = {
  readonly instrument: Instrument;
  readonly changes: Partial<Pick<Payment, 'sealed_method' | 'return_url'>>;
};

/** The payment method for a further step: a newly given one, or the payment's own. */
export async function methodForStep(
  payment: Payment,
  given: PaymentMethodInput | undefined,
  deps: Pick<Deps, 'vault'>,
): Promise<StepMethod> {
  if (!given) return { instrument: await openMethod(payment, deps), changes: {} };
  if (given.type !== payment.method)
    throw invalidFields([{ path: 'payment_method.type', message: 'This must equal the method of the payment.' }]);
  return {
    instrument: given,
    changes: {
      sealed_method: await sealMethod(given, payment, deps),
      return_url: given.return_url ?? payment.return_url,
    },
  };
}

/**
 * The keys that the retry budget and velocity count by. Each token of a multi-provider instrument counts, and may
 * refuse. Without tokens we don't know the payer.
 */
export function instrumentKeys(
  { org_id }: Payment,
  { token, tokens }: Instrument,
  provider: string,
): readonly InstrumentKey[] {
  const known = tokens ? Object.entries(tokens) : token === undefined ? [] : [[provider, token] as const];
  return known.flatMap(([name, value]) =>
    value === undefined ? [] : [{ orgId: org_id, provider: name, token: canonical(value) }],
  );
}

/** Independent of the order of an object's fields. */
const canonical = (token: string | Readonly<Record<string, string>>): string =>
  JSON.stringify(typeof token === 'string' ? token : Object.entries(token).sort());
