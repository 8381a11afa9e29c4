import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { unusableReason } from '#shared/domain/routing/candidates.rules.ts';
import type { RoutedConnection } from '#shared/domain/routing/connection.model.ts';

type PricedLink = Pick<PaymentLink, 'amount' | 'currency' | 'mode' | 'methods' | 'capture'>;

type Fits = (connection: RoutedConnection, method: string) => boolean;

/** What a connection's provider can do: express the amount for a method, and authorize it without capturing. */
export type LinkTraits = { readonly supportsAmount: Fits; readonly capturesLater: Fits };

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
  traits: LinkTraits,
): MethodObstacle | undefined {
  const reasons = connections.map((connection) => {
    // What the customer enters is not known yet: a country, an address.
    const candidate = {
      connection,
      health: 'unknown',
      supportsAmount: traits.supportsAmount(connection, method),
      capturesLater: !link.capture || traits.capturesLater(connection, method),
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
  traits: LinkTraits,
): readonly string[] => link.methods.filter((method) => obstacleOf(method, link, connections, traits) === undefined);
