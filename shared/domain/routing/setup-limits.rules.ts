import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { RoutingRule } from '#shared/domain/routing/routing-rule.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * Limits of an organization's setup, on every stage and plan. Each payment reads all of it, so a setup without limits
 * would slow down every other organization too.
 */
export const SETUP_LIMITS = {
  rules: 500,
  connections: 50,
  /** A deleted connection stays, as its payments name it. One that is saved again under its id is none. */
  deletedConnections: 200,
  /** Of rules and connections together, as JSON. It fits into one page of a query. */
  bytes: 700_000,
} as const;

type Setup = {
  readonly connections: readonly Connection[];
  readonly deletedConnections: readonly string[];
  readonly rules: readonly RoutingRule[];
};

type Counted = 'rules' | 'connections' | 'deletedConnections';

const REMEDIES: Readonly<Record<Counted, string>> = {
  rules: 'routing rules. Delete one that you no longer need.',
  connections: 'connections. Delete one that you no longer need.',
  deletedConnections: 'deleted connections. Save the new one under the id of a deleted one.',
};

const METRICS = {
  rules: 'routing_rules',
  connections: 'connections',
  deletedConnections: 'deleted_connections',
} as const;

/** A new rule or connection. An organization over a limit keeps working, but adds nothing. */
export function assertSetupRoom(setup: Setup, kind: Counted): void {
  const [used, limit] = [setup[kind].length, SETUP_LIMITS[kind]];
  if (used < limit) return;
  throw new AppError('setup_limit_reached', `An organization has at most ${limit} ${REMEDIES[kind]}`, {
    details: { metric: METRICS[kind], used: String(used), limit: String(limit) },
  });
}

/** A rule or connection as it will be stored, in place of the stored one with its id. A smaller one is always taken. */
export function assertSetupFits(setup: Setup, saved: Connection | RoutingRule): void {
  const records: readonly (Connection | RoutingRule)[] = [...setup.connections, ...setup.rules];
  const stored = records.find(({ id }) => id === saved.id);
  const growth = sizeOf(saved) - (stored ? sizeOf(stored) : 0);
  const used = records.reduce((sum, record) => sum + sizeOf(record), 0);
  if (growth <= 0 || used + growth <= SETUP_LIMITS.bytes) return;
  throw new AppError(
    'setup_limit_reached',
    `The routing rules and connections of an organization have at most ${SETUP_LIMITS.bytes} bytes together. ` +
      'Delete what you no longer need, or name fewer countries and methods.',
    { details: { metric: 'bytes', used: String(used), limit: String(SETUP_LIMITS.bytes) } },
  );
}

const sizeOf = (record: Connection | RoutingRule): number => Buffer.byteLength(JSON.stringify(record));
