import type { Asked } from '#functions/hosted-pages/views/link-view.model.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing.rules.ts';
import { unusable } from '#shared/domain/routing/usable-connection.rules.ts';

export type AskedFields = { readonly country: Asked; readonly email: Asked };

type Psps = { readonly canExpress: (provider: string) => boolean; readonly needsEmail: (provider: string) => boolean };

/** The fields that customers fill in: only those that routing needs. */
export function askedFields(
  link: PaymentLink,
  { connections, rules, tests }: Pick<RoutingSetup, 'connections' | 'rules' | 'tests'>,
  { canExpress, needsEmail }: Psps,
): AskedFields {
  const want = { ...link, country: null, offSession: false, hasToken: () => true, lacksEmail: () => false, canExpress };
  const candidates = connections.filter((connection) =>
    link.methods.some((method) => unusable(connection, { ...want, method }) === undefined),
  );
  const byCountry =
    rules.some(({ enabled }) => enabled) ||
    tests.some(({ target_countries }) => target_countries.length > 0) ||
    candidates.some(
      ({ capabilities, routing_hints }) =>
        capabilities.countries !== 'all' || routing_hints.country_preference.length > 0,
    );
  const byEmail = candidates.filter(({ provider }) => needsEmail(provider)).length;
  return {
    country: byCountry ? 'required' : 'no',
    email: byEmail === 0 ? 'no' : byEmail === candidates.length ? 'required' : 'optional',
  };
}
