import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';

export type Want = {
  /** The payment's id, which decides whether it probes. */
  readonly id: string;
  /** What A/B tests assign variants by; null: by the payment. */
  readonly customer_id: string | null;
  readonly mode: Stage;
  readonly method: string;
  readonly currency: string;
  readonly country: string | null;
  readonly amount: number;
  /** The customer is away and can be asked nothing. */
  readonly offSession: boolean;
  /** Whether there is a token for this provider, or none is needed. */
  readonly hasToken: (provider: string, connectionId: string) => boolean;
  /** Whether the provider can express exactly this amount. */
  readonly canExpress: (provider: string) => boolean;
  /** Whether the provider needs a mail address that the payment lacks. */
  readonly lacksEmail: (provider: string) => boolean;
};

const lists = (all: readonly string[] | 'all', one: string): boolean => all === 'all' || all.includes(one);

/** Why a connection cannot take this payment; undefined when it can. */
export function unusable(
  { id, status, mode, capabilities, provider }: Connection,
  want: Omit<Want, 'id' | 'customer_id'>,
): string | undefined {
  if (status !== 'active') return 'inactive';
  if (mode !== want.mode) return 'wrong_mode';
  if (!capabilities.methods.includes(want.method)) return 'method_not_supported';
  if (!lists(capabilities.currencies, want.currency)) return 'currency_not_supported';
  if (want.country !== null && !lists(capabilities.countries, want.country)) return 'country_not_supported';
  if (want.offSession && !capabilities.off_session) return 'off_session_not_supported';
  if (!want.canExpress(provider)) return 'amount_not_supported';
  if (want.lacksEmail(provider)) return 'customer_email_required';
  return want.hasToken(provider, id) ? undefined : 'no_token';
}
