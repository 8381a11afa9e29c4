import type { Connection } from '#shared/domain/connection.model.ts';
import type { RoutingNote } from '#shared/domain/payment.model.ts';

export type Want = {
  readonly mode: 'sandbox' | 'live';
  readonly method: string;
  readonly currency: string;
  readonly country: string | null;
  readonly amount: number;
  /** Whether the client gave what this provider needs: a token for it, or none for anybody. */
  readonly hasToken: (provider: string) => boolean;
  /** Whether the provider can be asked for exactly this amount. */
  readonly canExpress: (provider: string) => boolean;
  /** Whether the provider takes no payment without the customer's mail address, and there is none. */
  readonly lacksEmail: (provider: string) => boolean;
};

export type Route = { readonly ranked: readonly Connection[]; readonly note: RoutingNote };

const MOST_NOTED = 10;

const lists = (all: readonly string[] | 'all', one: string): boolean => all === 'all' || all.includes(one);

/** Why a connection cannot take this payment; undefined when it can. */
export function unusable({ status, mode, capabilities, provider }: Connection, want: Want): string | undefined {
  if (status !== 'active') return 'inactive';
  if (mode !== want.mode) return 'wrong_mode';
  if (!capabilities.methods.includes(want.method)) return 'method_not_supported';
  if (!lists(capabilities.currencies, want.currency)) return 'currency_not_supported';
  if (want.country !== null && !lists(capabilities.countries, want.country)) return 'country_not_supported';
  if (!want.canExpress(provider)) return 'amount_not_supported';
  if (want.lacksEmail(provider)) return 'customer_email_required';
  return want.hasToken(provider) ? undefined : 'no_token';
}

/** Default routing: preferred country first, then the method's bias, then the id; `fallback_only` last. The same input gives the same order. */
export function routeByDefault(connections: readonly Connection[], want: Want): Route {
  const judged = [...connections].sort(byPreference(want)).map((connection) => ({ connection, reason: unusable(connection, want) ?? null }));
  return {
    ranked: judged.filter(({ reason }) => reason === null).map(({ connection }) => connection),
    note: {
      source: 'default',
      considered: judged.slice(0, MOST_NOTED).map(({ connection, reason }) => ({ connection_id: connection.id, usable: reason === null, reason })),
    },
  };
}

const byPreference =
  ({ country, method }: Want) =>
  (a: Connection, b: Connection): number =>
    Number(a.routing_hints.fallback_only) - Number(b.routing_hints.fallback_only) ||
    Number(prefers(b, country)) - Number(prefers(a, country)) ||
    (b.routing_hints.method_bias[method] ?? 0) - (a.routing_hints.method_bias[method] ?? 0) ||
    (a.id < b.id ? -1 : 1);

const prefers = ({ routing_hints }: Connection, country: string | null): boolean => country !== null && routing_hints.country_preference.includes(country);
