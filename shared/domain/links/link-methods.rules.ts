import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { type CaptureFacts, capturesLater, unusableReason } from '#shared/domain/routing/candidates.rules.ts';
import type { Provider, RoutedConnection } from '#shared/domain/routing/connection.model.ts';

type PricedLink = Pick<PaymentLink, 'amount' | 'currency' | 'mode' | 'methods' | 'capture'>;

/** What is known of a provider, as its adapter says it. */
type ProviderFacts = {
  supportsAmount(amount: number, currency: string, viaHostedPage: boolean, method?: string): boolean;
  readonly manualCapture?: CaptureFacts | undefined;
};
export type FactsOf = (provider: Provider) => ProviderFacts | undefined;

/** Why no connection takes a method, the nearest to taking it last. */
const OBSTACLES = [
  'no_connection',
  'wrong_mode',
  'inactive',
  'method_not_supported',
  'currency_not_supported',
  'amount_not_supported',
  'capture_not_supported',
] as const;
export type MethodObstacle = (typeof OBSTACLES)[number];

const isObstacle = (reason: string): reason is MethodObstacle => OBSTACLES.some((each) => each === reason);

/** Why none of the connections takes this method of the link now; undefined if one does, for some customer. */
export function obstacleOf(
  method: string,
  link: PricedLink,
  connections: readonly RoutedConnection[],
  factsOf: FactsOf,
): MethodObstacle | undefined {
  const { amount, currency, capture } = link;
  const reasons = connections.map((connection) => {
    const facts = factsOf(connection.provider);
    // What the customer enters is not known yet: a country, an address.
    const candidate = {
      connection,
      health: 'unknown',
      supportsAmount: facts?.supportsAmount(amount, currency, true, method) ?? false,
      capturesLater: !capture || capturesLater(connection.capabilities, method, facts?.manualCapture),
      lacksEmail: false,
      hasToken: true,
    } as const;
    return unusableReason(candidate, { ...link, country: null, method });
  });
  if (reasons.includes(null)) return undefined;
  const obstacles = reasons.flatMap((reason) =>
    reason !== null && isObstacle(reason) ? [OBSTACLES.indexOf(reason)] : [],
  );
  return OBSTACLES[Math.max(0, ...obstacles)];
}

/** The methods that customers can pay with now. */
export const payableMethods = (
  link: PricedLink,
  connections: readonly RoutedConnection[],
  factsOf: FactsOf,
): readonly string[] => link.methods.filter((method) => obstacleOf(method, link, connections, factsOf) === undefined);
