import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { canonicalJson } from '#shared/kernel/json.ts';
import type { InstrumentKey } from '#shared/ports/retry-budget.port.ts';
import type { Instrument } from '#shared/services/payments/charge-order.service.ts';

/** Nothing identifies the payer: the customer chooses a card or account on the page of the provider. */
export const isChosenOnProviderPage = ({ token, tokens, phone }: Instrument): boolean =>
  token === undefined && tokens === undefined && phone === undefined;

export const isSameInstrument = (one: Instrument, other: Instrument): boolean =>
  ([one, other] as const)
    .map(({ token, tokens, bound, phone }) => canonicalJson([token, tokens, phone, bound]))
    .every((text, _, [first]) => text === first);

/**
 * The keys that the retry budget and the velocity rules count by. Each token of an instrument with several providers
 * counts, and each may be over its limit. Without a token the payer is unknown, and nothing counts.
 */
export function instrumentKeys(
  { org_id }: Payment,
  { token, tokens, bound = [] }: Instrument,
  provider: string,
): readonly InstrumentKey[] {
  const byProvider = Object.entries(tokens ?? { [provider]: token });
  return [...byProvider, ...bound.map((own) => [own.provider, own.token] as const)].flatMap(([name, value]) =>
    value === undefined ? [] : [{ orgId: org_id, provider: name, token: canonicalToken(value) }],
  );
}

/**
 * Fields of a token that differ at each checkout of the same card: made by the library of the provider, or chosen by
 * the customer.
 */
const PER_CHECKOUT_FIELDS: ReadonlySet<string> = new Set([
  'brand',
  'checkoutAttemptId',
  'encryptedSecurityCode',
  'sdkData',
]);

/**
 * The token as text, the same at each checkout with a card: independent of the order of its fields, and without the
 * fields of a single checkout.
 */
const canonicalToken = (token: string | Readonly<Record<string, string>>): string =>
  JSON.stringify(
    typeof token === 'string'
      ? token
      : Object.entries(token)
          .filter(([name]) => !PER_CHECKOUT_FIELDS.has(name))
          .sort(),
  );
