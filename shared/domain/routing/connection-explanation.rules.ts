import type { RoutingNote } from '#shared/domain/payments/payment.model.ts';
import { type Candidate, type RoutedPayment, rateCandidate } from '#shared/domain/routing/candidates.rules.ts';
import type { RoutingPlan } from '#shared/domain/routing/routing.rules.ts';

/**
 * Every connection with why it would be tried, and when, or why not. `tried`: the connections that may see the payment,
 * in order; a plan may rank more.
 */
export function explainConnections(
  candidates: readonly Candidate[],
  payment: RoutedPayment,
  { ranked, note }: RoutingPlan,
  tried: readonly string[],
) {
  const order = ranked.map(({ id }) => id);
  return candidates
    .map((candidate) => {
      const { connection, health } = candidate;
      const { reason, isProbed, isPreferred, bias, fee, isDown } = rateCandidate(candidate, payment);
      const position = tried.indexOf(connection.id) + 1 || null;
      return {
        id: connection.id,
        provider: connection.provider,
        position,
        reason: position === null ? (reason ?? restReason(connection.id, order, note, isDown && !isProbed)) : null,
        health,
        probe: isProbed,
        preferred_country: isPreferred,
        method_bias: bias,
        fallback_only: connection.routing_hints.fallback_only,
        fee: Math.round(fee * 100) / 100,
      };
    })
    .sort((a, b) => rankOf(a.position) - rankOf(b.position) || (a.id < b.id ? -1 : 1));
}

const rankOf = (position: number | null): number => position ?? Number.POSITIVE_INFINITY;

/** Why one that could take the payment is not tried. */
function restReason(id: string, order: readonly string[], note: RoutingNote, isLeftOut: boolean): string {
  if (order.includes(id)) return 'beyond_limit';
  const noted = note.considered.find(({ connection_id }) => connection_id === id)?.reason;
  if (noted !== null && noted !== undefined) return noted;
  if (isLeftOut) return 'down';
  return note.source === 'ab_test' ? 'no_fallback_in_test' : 'no_fallback_in_rule';
}
