import { createSemaphore } from '#lib/local/semaphore.ts';
import type { GroupShare } from '#shared/adapters/local/sqlite-queue.adapter.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

/** Concurrency permits, and the groups that may take them. */
export type Lane = {
  readonly free: () => number;
  /** The groups served, in order of preference. */
  readonly kinds: readonly GroupShare[];
  /** Takes a permit for a message of this group. Returns the function that releases it. */
  readonly acquire: (group: string) => () => void;
};

/**
 * For work that needs this machine: more at once would not be faster. What takes longer than this waits for a provider
 * that does not respond, and does not hold up others.
 */
const WORK = { permits: 24, maxHoldMs: SECOND, maxWaiting: 200, ofGroup: 12 };
/** Groups whose last message took less than this: their work is about to end, or waits and needs no permit. */
const FAST_LANE = { under: SECOND, permits: 256, maxHoldMs: 25, ofGroup: 256 };
/**
 * All other groups: two start every 50 ms, so that the work for a thousand silent ones is spread over half a minute, and
 * each bit of it is short. Few messages of one organization at once: its dead receiver must not hold up others.
 */
const SLOW_LANE = { permits: 2, maxHoldMs: 50, ofGroup: 4 };
/**
 * How many of each lane may wait without a permit, each with an open connection: more than can start at that pace
 * within a receiver's 30 s. Beyond that, messages keep their permits.
 */
const MAX_WAITING = 2_000;
/** A group that took longer counts as silent. */
const SILENT_FROM = 15 * SECOND;
const MAX_REMEMBERED_GROUPS = 10_000;

/** For messages that are work from beginning to end. */
export function singleLane(onFree: () => void): readonly Lane[] {
  const { free, acquire } = createSemaphore({ ...WORK, onFree });
  return [{ free, kinds: [WORK], acquire }];
}

/**
 * For messages that mostly wait for another server: those that wait long release their permits. Groups whose last
 * message was fast have a lane of their own, so they never queue behind silent ones. Of the others, slow ones come
 * first and silent ones last.
 */
export function fastAndSlowLanes(
  onFree: () => void,
  sortGroups: (kindOf: (group: string) => string) => (group: string) => void,
): readonly Lane[] {
  const paces = pacesOfGroups((group) => sortAgain(group));
  const sortAgain = sortGroups(paces.of);
  const lane = (served: readonly Pace[], { permits, maxHoldMs, ofGroup }: typeof SLOW_LANE): Lane => {
    const { free, acquire } = createSemaphore({ permits, maxHoldMs, maxWaiting: MAX_WAITING, onFree });
    const acquireFor = (group: string) => {
      const [release, begun] = [acquire(), monotonic()];
      const timer = setTimeout(
        () => paces.note(group, 'silent'),
        paces.of(group) === 'slow' ? SILENT_FROM : FAST_LANE.under,
      );
      return () => {
        clearTimeout(timer);
        paces.note(group, paceOfDuration(monotonic() - begun));
        release();
      };
    };
    const kinds = served.map((kind) => ({ kind, ofGroup }));
    return { free, kinds, acquire: acquireFor };
  };
  return [lane(['quick'], FAST_LANE), lane(['slow', 'unknown', 'silent'], SLOW_LANE)];
}

/** How a group's last message went; one that takes longer than usual counts as silent until it ends. */
type Pace = 'quick' | 'slow' | 'unknown' | 'silent';

function paceOfDuration(ms: number): Pace {
  if (ms < FAST_LANE.under) return 'quick';
  return ms < SILENT_FROM ? 'slow' : 'silent';
}

/** Each group's pace; the least recently used are dropped. */
function pacesOfGroups(onChange: (group: string) => void) {
  const byGroup = new Map<string, Pace>();
  const drop = (group: string): void => {
    byGroup.delete(group);
    onChange(group);
  };
  return {
    of: (group: string): Pace => byGroup.get(group) ?? 'unknown',
    note(group: string, pace: Pace): void {
      const before = byGroup.get(group);
      byGroup.delete(group);
      byGroup.set(group, pace);
      if (before !== pace) onChange(group);
      const [longestUnheard] = byGroup.keys();
      if (byGroup.size > MAX_REMEMBERED_GROUPS && longestUnheard !== undefined) drop(longestUnheard);
    },
  };
}
