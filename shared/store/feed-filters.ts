import { COUNTED_KINDS } from '#shared/ports/changes.port.ts';
import { keys, SORT_KEYS, STAT_PREFIX } from '#shared/store/keys.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

/**
 * Counters, sign-in data, executions and routing snapshots, which have no events. This names what the relay does not
 * need, so that a new kind of item is not forgotten.
 */
export const WITHOUT_EVENTS: readonly string[] = [
  keys.apiKey,
  keys.address,
  keys.velocity,
  keys.retryBudget,
  keys.session,
  keys.signInLink,
  keys.passkeyChallenge,
  keys.execution,
  keys.heldTotals,
  (orgId: string) => keys.routingSnapshot(orgId, 0),
].map((key) => key('').sk);

/** The sort keys of what the projector counts. */
export const COUNTED: readonly string[] = COUNTED_KINDS.map((kind) => SORT_KEYS[kind]);

/** The changes that the relay gets. The local host asks this, and Lambda compares the same keys by a pattern. */
export const mayHaveEvents = ({ key }: Pick<FeedRecord, 'key'>): boolean =>
  !WITHOUT_EVENTS.includes(key.sk) && !key.pk.startsWith(STAT_PREFIX);

/** The changes that the projector gets; see `mayHaveEvents`. */
export const isCounted = ({ key }: Pick<FeedRecord, 'key'>): boolean => COUNTED.includes(key.sk);
