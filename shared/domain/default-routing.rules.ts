import type { Connection } from '#shared/domain/connection.model.ts';
import { feeFor } from '#shared/domain/fee.rules.ts';
import type { HealthStatus } from '#shared/domain/health.rules.ts';
import type { RoutingNote } from '#shared/domain/payment.model.ts';
import { unusable, type Want } from '#shared/domain/usable-connection.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';

export type Health = { readonly score: number | null; readonly status: HealthStatus };
export type HealthOf = (connectionId: string) => Health;

/** Of a hundred payments so many try a connection that is degraded or down, so that it is seen to come back. */
const PROBES_IN_100 = 5;

/** Unknown is as good as healthy: a new connection must get its first payment. */
const STEPS: Readonly<Record<HealthStatus, number>> = { healthy: 0, unknown: 0, degraded: 1, down: 2 };

type Judged = { readonly connection: Connection; readonly reason: string | null };
type Ranked = { readonly ranked: readonly Connection[]; readonly considered: RoutingNote['considered'] };

/**
 * The connections that can take the payment: the preferred country first, then the method's bias, health and cost, then the
 * id; `fallback_only` last. One that is down is left out, but for a few payments that probe it, and while nothing else is
 * left; as many probe one that is degraded. The same input gives the same order.
 */
export function rankByDefault(connections: readonly Connection[], want: Want, healthOf: HealthOf): Ranked {
  const judged = [...connections].sort(byPreference(want, healthOf)).map((connection): Judged => ({ connection, reason: unusable(connection, want) ?? null }));
  const usable = judged.filter(({ reason }) => reason === null).map(({ connection }) => connection);
  const isDown = ({ id }: Connection) => healthOf(id).status === 'down';
  const up = usable.filter((connection) => !isDown(connection));
  const probed = up.length > 0 ? usable.filter((connection) => isDown(connection) && probes(want.id, connection.id)) : usable;
  const skipped = new Set(usable.filter((connection) => isDown(connection) && !probed.includes(connection)));
  return {
    ranked: up.length > 0 ? [...probed, ...up] : usable,
    considered: judged.map(({ connection, reason }) => {
      const why = skipped.has(connection) ? 'down' : reason;
      return { connection_id: connection.id, usable: why === null, reason: why };
    }),
  };
}

/** Always the same payments: a retry decides as the first try did. */
const probes = (paymentId: string, connectionId: string): boolean => shardOf(`${connectionId} ${paymentId}`, 100) < PROBES_IN_100;

const byPreference =
  (want: Want, healthOf: HealthOf) =>
  (a: Connection, b: Connection): number =>
    Number(a.routing_hints.fallback_only) - Number(b.routing_hints.fallback_only) ||
    Number(prefers(b, want.country)) - Number(prefers(a, want.country)) ||
    (b.routing_hints.method_bias[want.method] ?? 0) - (a.routing_hints.method_bias[want.method] ?? 0) ||
    stepOf(a, want, healthOf) - stepOf(b, want, healthOf) ||
    feeFor(a.fee_structure, want) - feeFor(b.fee_structure, want) ||
    (a.id < b.id ? -1 : 1);

/** The few that probe take a degraded connection for a healthy one: without a call nobody would see it recover. */
function stepOf({ id }: Connection, want: Want, healthOf: HealthOf): number {
  const { status } = healthOf(id);
  return status === 'degraded' && probes(want.id, id) ? STEPS.healthy : STEPS[status];
}

const prefers = ({ routing_hints }: Connection, country: string | null): boolean => country !== null && routing_hints.country_preference.includes(country);
