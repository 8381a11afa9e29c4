import { createSemaphore } from '#lib/local/semaphore.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

/** Concurrency permits, and the groups that may take them. */
export type Lane = {
  readonly free: () => number;
  /** The groups served, in order of preference. */
  readonly kinds: readonly ((group: string) => boolean)[];
  /** Takes a permit for a message of this group. Returns the function that releases it. */
  readonly acquire: (group: string) => () => void;
};

const MAX_CONCURRENT = 24;
/** Groups whose last message took less than this: their work is about to end, or waits and needs no permit. */
const FAST_LANE = { under: SECOND, permits: MAX_CONCURRENT, maxHoldMs: 25 };
/**
 * All other groups: four start every 100 ms, with one disk sync, so that the work for a thousand silent ones is spread
 * over half a minute.
 */
const SLOW_LANE = { permits: 4, maxHoldMs: 100 };
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
  const { free, acquire } = createSemaphore({ permits: MAX_CONCURRENT, onFree });
  return [{ free, kinds: [() => true], acquire }];
}

/**
 * For messages that mostly wait for another server: those that wait long release their permits. Groups whose last
 * message was fast have a lane of their own, so they never queue behind silent ones. Of the others, slow ones come
 * first and silent ones last.
 */
export function fastAndSlowLanes(onFree: () => void): readonly Lane[] {
  const paces = pacesOfGroups();
  const lane = (kinds: Lane['kinds'], sizes: { readonly permits: number; readonly maxHoldMs: number }): Lane => {
    const { free, acquire } = createSemaphore({ ...sizes, maxWaiting: MAX_WAITING, onFree });
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
    return { free, kinds, acquire: acquireFor };
  };
  const hasPace = (pace: Pace | undefined) => (group: string) => paces.of(group) === pace;
  return [
    lane([hasPace('quick')], FAST_LANE),
    lane([hasPace('slow'), hasPace(undefined), hasPace('silent')], SLOW_LANE),
  ];
}

/** How a group's last message went; one that takes longer than usual counts as silent until it ends. */
type Pace = 'quick' | 'slow' | 'silent';

function paceOfDuration(ms: number): Pace {
  if (ms < FAST_LANE.under) return 'quick';
  return ms < SILENT_FROM ? 'slow' : 'silent';
}

/** Each group's pace; the least recently used are dropped. */
function pacesOfGroups() {
  const byGroup = new Map<string, Pace>();
  return {
    of: (group: string): Pace | undefined => byGroup.get(group),
    note(group: string, pace: Pace): void {
      byGroup.delete(group);
      byGroup.set(group, pace);
      const [longestUnheard] = byGroup.keys();
      if (byGroup.size > MAX_REMEMBERED_GROUPS && longestUnheard !== undefined) byGroup.delete(longestUnheard);
    },
  };
}
