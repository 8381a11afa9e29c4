import type { Connection } from '#shared/domain/connection.model.ts';

export type Want = {
  /** The payment's id: it decides who probes. */
  readonly id: string;
  /** Whom a running A/B test knows by it; the payment itself where it is null. */
  readonly customer_id: string | null;
  readonly mode: 'sandbox' | 'live';
  readonly method: string;
  readonly currency: string;
  readonly country: string | null;
  readonly amount: number;
  /** The customer is away, so that she can be asked nothing. */
  readonly offSession: boolean;
  /** Whether the client gave what this provider needs: a token for it, or none for anybody. */
  readonly hasToken: (provider: string, connectionId: string) => boolean;
  /** Whether the provider can be asked for exactly this amount. */
  readonly canExpress: (provider: string) => boolean;
  /** Whether the provider takes no payment without the customer's mail address, and there is none. */
  readonly lacksEmail: (provider: string) => boolean;
};

const lists = (all: readonly string[] | 'all', one: string): boolean => all === 'all' || all.includes(one);

/** Why a connection cannot take this payment; undefined when it can. */
export function unusable({ id, status, mode, capabilities, provider }: Connection, want: Omit<Want, 'id' | 'customer_id'>): string | undefined {
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
