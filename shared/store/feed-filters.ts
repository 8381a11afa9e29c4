import { COUNTED_KINDS, type FollowedResources, KINDS_WITH_EVENTS } from '#shared/ports/changes.port.ts';
import { SORT_KEYS } from '#shared/store/keys.ts';
import type { FeedRecord } from '#shared/store/table/table.port.ts';

const sortKeysOf = (kinds: readonly (keyof FollowedResources)[]): readonly string[] =>
  kinds.map((kind) => SORT_KEYS[kind]);

/** The sort keys of what has events, and of what the projector counts. Lambda compares these by a pattern. */
export const WITH_EVENTS = sortKeysOf(KINDS_WITH_EVENTS);
export const COUNTED = sortKeysOf(COUNTED_KINDS);

/** The changes that the relay of the local host gets, as on AWS. */
export const mayHaveEvents = ({ key }: Pick<FeedRecord, 'key'>): boolean => WITH_EVENTS.includes(key.sk);

/** The changes that its projector gets. */
export const isCounted = ({ key }: Pick<FeedRecord, 'key'>): boolean => COUNTED.includes(key.sk);
