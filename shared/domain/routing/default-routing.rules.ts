import type { RoutingNote } from '#shared/domain/payments/payment.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { feeFor } from '#shared/domain/routing/fee.rules.ts';
import type { HealthStatus } from '#shared/domain/routing/health.rules.ts';
import { unusable, type Want } from '#shared/domain/routing/usable-connection.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';

export type Health = { readonly score: number | null; readonly status: HealthStatus };
export type HealthOf = (connectionId: string) => Health;

/** How many of 100 payments probe a connection that is degraded or down, to see whether it has recovered. */
const PROBES_IN_100 = 5;

/** Unknown is as good as healthy: a new connection must get its first payment. */
const STEPS: Readonly<Record<HealthStatus, number>> = { healthy: 0, unknown: 0, degraded: 1, down: 2 };

type Ranked = { readonly ranked: readonly Connection[]; readonly considered: RoutingNote['considered'] };

/**
 * Ranks the connections that can take the payment: preferred country first, then the method's bias, health and cost,
 * then the id; `fallback_only` ones last. One that is down is left out, except for probes and while all others are
 * down; degraded ones are probed too. A probed connection comes first within its group: a `fallback_only` one stays
 * behind the others. The same input gives the same order.
 */
export function rankByDefault(connections: readonly Connection[], want: Want, healthOf: HealthOf): Ranked {
  const reasons = new Map(connections.map((connection) => [connection, unusable(connection, want) ?? null]));
  const isDown = ({ id }: Connection) => healthOf(id).status === 'down';
  const othersAreUp = connections.some((connection) => reasons.get(connection) === null && !isDown(connection));
  const probed = new Set(
    connections.filter((connection) => othersAreUp && isDown(connection) && probes(want.id, connection.id)),
  );
  const skipped = (connection: Connection) => othersAreUp && isDown(connection) && !probed.has(connection);
  const considered = connections.toSorted(byRank(want, healthOf, probed)).map((connection) => {
    const reason = reasons.get(connection) ?? (skipped(connection) ? 'down' : null);
    return { connection, told: { connection_id: connection.id, usable: reason === null, reason } };
  });
  return {
    ranked: considered.filter(({ told }) => told.usable).map(({ connection }) => connection),
    considered: considered.map(({ told }) => told),
  };
}

/** Deterministic by payment, so that a retry decides as the first try did. */
export const probes = (paymentId: string, connectionId: string): boolean =>
  shardOf(`${connectionId} ${paymentId}`, 100) < PROBES_IN_100;

const byRank =
  (want: Want, healthOf: HealthOf, probed: ReadonlySet<Connection>) =>
  (a: Connection, b: Connection): number =>
    Number(a.routing_hints.fallback_only) - Number(b.routing_hints.fallback_only) ||
    Number(probed.has(b)) - Number(probed.has(a)) ||
    Number(prefers(b, want.country)) - Number(prefers(a, want.country)) ||
    (b.routing_hints.method_bias[want.method] ?? 0) - (a.routing_hints.method_bias[want.method] ?? 0) ||
    stepOf(a, want, healthOf) - stepOf(b, want, healthOf) ||
    feeFor(a.fee_structure, want) - feeFor(b.fee_structure, want) ||
    (a.id < b.id ? -1 : 1);

/** Probes treat a degraded connection as healthy: without calls its recovery would go unseen. */
function stepOf({ id }: Connection, want: Want, healthOf: HealthOf): number {
  const { status } = healthOf(id);
  return status === 'degraded' && probes(want.id, id) ? STEPS.healthy : STEPS[status];
}

const prefers = ({ routing_hints }: Connection, country: string | null): boolean =>
  country !== null && routing_hints.country_preference.includes(country);
