import type { FieldPresence } from '#functions/hosted-pages/views/link-view.model.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { unusableReason } from '#shared/domain/routing/candidates.rules.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { RoutingConfig } from '#shared/domain/routing/routing.rules.ts';

export type StartFormFields = { readonly country: FieldPresence; readonly email: FieldPresence };

type ProviderTraits = {
  readonly supportsAmount: (provider: string) => boolean;
  readonly needsEmail: (provider: string) => boolean;
  readonly capturesLater: (connection: RoutedConnection, method: string) => boolean;
  /** Customers who leave an address get a receipt. */
  readonly mailsReceipts?: boolean;
};

/** The fields that customers fill in: only those that routing needs. */
export function startFormFields(
  link: PaymentLink,
  { connections, rules, tests }: RoutingConfig & { readonly connections: readonly RoutedConnection[] },
  { supportsAmount, needsEmail, capturesLater, mailsReceipts = false }: ProviderTraits,
): StartFormFields {
  const takes = (connection: RoutedConnection, method: string): boolean =>
    unusableReason(
      {
        connection,
        health: 'unknown',
        supportsAmount: supportsAmount(connection.provider),
        capturesLater: !link.capture || capturesLater(connection, method),
        lacksEmail: false,
        hasToken: true,
      },
      { ...link, country: null, method },
    ) === null;
  const candidates = connections.filter((connection) => link.methods.some((method) => takes(connection, method)));
  const byCountry =
    rules.some(({ enabled }) => enabled) ||
    tests.some(({ target_countries }) => target_countries.length > 0) ||
    candidates.some(
      ({ capabilities, routing_hints }) =>
        capabilities.countries !== 'all' || routing_hints.country_preference.length > 0,
    );
  const withEmail = candidates.filter(({ provider }) => needsEmail(provider)).length;
  return {
    country: byCountry ? 'required' : 'omitted',
    email: withEmail === 0 && mailsReceipts ? 'optional' : emailPresence(withEmail, candidates.length),
  };
}

function emailPresence(withEmail: number, all: number): FieldPresence {
  if (withEmail === 0) return 'omitted';
  return withEmail === all ? 'required' : 'optional';
}

/** What customers know of a provider's wallets. Adding a provider with the method `wallet` is adding a line. */
const WALLETS: Readonly<Record<string, readonly string[]>> = {
  stripe: ['Apple Pay', 'Google Pay'],
  adyen: ['Apple Pay', 'Google Pay'],
  checkout: ['Apple Pay', 'Google Pay'],
  flutterwave: ['Apple Pay', 'Google Pay'],
  mollie: ['Apple Pay', 'PayPal'],
  paypal: ['PayPal'],
};

/** The brands that the active connections offer as `wallet`. Undefined if none of them is known. */
export function walletNames({
  connections,
}: {
  readonly connections: readonly RoutedConnection[];
}): readonly string[] | undefined {
  const names = connections
    .filter(({ status, capabilities }) => status === 'active' && capabilities.methods.includes('wallet'))
    .flatMap(({ provider }) => WALLETS[provider] ?? []);
  return names.length > 0 ? [...new Set(names)] : undefined;
}
