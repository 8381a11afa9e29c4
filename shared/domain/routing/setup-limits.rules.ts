import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';
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
  /** Of rules and connections together, as JSON. */
  bytes: 700_000,
  /** Of what a payment reads: connections without credentials, enabled rules, running tests, fraud policy; compressed. */
  snapshotBytes: 131_072,
} as const;

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

/** A change that would add beyond a limit. An organization over a limit keeps working, but adds nothing. */
export function assertSetupAllowed(before: RoutingSetup, after: RoutingSetup): void {
  if (after.rules.length > before.rules.length) assertRoom(before, 'rules');
  if (after.connections.length > before.connections.length) assertRoom(before, 'connections');
  if (idsOf(after) > idsOf(before)) assertRoom(before, 'deletedConnections');
  const [used, wanted] = [sizeOf(before), sizeOf(after)];
  if (wanted > used && wanted > SETUP_LIMITS.bytes) throw tooLarge('bytes', used, SETUP_LIMITS.bytes);
}

type SnapshotSize = { readonly bytes: number; readonly plainBytes: number };

/** `bytes` as it is stored. How well it compresses refuses nothing that is no addition. */
export function assertSnapshotFits(before: SnapshotSize, after: SnapshotSize): void {
  const isLarger = after.bytes > before.bytes && after.plainBytes > before.plainBytes;
  if (isLarger && after.bytes > SETUP_LIMITS.snapshotBytes)
    throw tooLarge('snapshot_bytes', before.bytes, SETUP_LIMITS.snapshotBytes);
}

const idsOf = ({ connections, deletedConnections }: RoutingSetup): number =>
  connections.length + deletedConnections.length;

function assertRoom(before: RoutingSetup, kind: Counted): void {
  const [used, limit] = [before[kind].length, SETUP_LIMITS[kind]];
  if (used < limit) return;
  throw new AppError('setup_limit_reached', `An organization has at most ${limit} ${REMEDIES[kind]}`, {
    details: { metric: METRICS[kind], used: String(used), limit: String(limit) },
  });
}

const LARGE_THINGS = {
  bytes: 'The routing rules and connections of an organization',
  snapshot_bytes: 'The connections, enabled routing rules, running A/B tests and fraud policy of an organization',
} as const;

const tooLarge = (metric: keyof typeof LARGE_THINGS, used: number, limit: number): AppError =>
  new AppError(
    'setup_limit_reached',
    `${LARGE_THINGS[metric]} have at most ${limit} bytes together${metric === 'bytes' ? '' : ', compressed'}. ` +
      'Delete what you no longer need, or name fewer countries and methods.',
    { details: { metric, used: String(used), limit: String(limit) } },
  );

/** What grows without being an addition: counters, and what a validation or a change of the status records. */
const NOT_COUNTED = {
  version: 0,
  audits: 0,
  used_by_rules: 0,
  used_by_tests: 0,
  validation_failures: 0,
  status: '',
  updated_at: '',
  last_validated_at: '',
  last_validation_status: '',
  last_validation_error: '',
  name_match_status: '',
};

const sizeOf = ({ connections, rules }: RoutingSetup): number =>
  [...connections, ...rules].reduce(
    (sum, record) => sum + Buffer.byteLength(JSON.stringify({ ...record, ...NOT_COUNTED })),
    0,
  );
