import { makePlaces } from '#lib/local/places.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

/** Places to work in, and the groups that may take them. */
export type Lane = {
  readonly room: () => number;
  /** The groups served, in order of preference. */
  readonly kinds: readonly ((group: string) => boolean)[];
  /** Takes a place for a message of this group; answers the function that leaves. */
  readonly take: (group: string) => () => void;
};

const AT_ONCE = 24;
/** Groups whose last message took less than this: their work is about to end, or waits and needs no place. */
const QUICK = { under: SECOND, places: AT_ONCE, patienceMs: 25 };
/**
 * All other groups: four start every 100 ms, with one disk sync, so that a thousand silent ones are little work spread
 * over half a minute.
 */
const OTHERS = { places: 4, patienceMs: 100 };
/**
 * How many of each lane may wait without a place, each with an open connection: more than can start at that pace within
 * a receiver's 30 s. Further ones keep their places.
 */
const MOST_WAITING = 2_000;
/** A group that took longer counts as silent. */
const SILENT_AFTER = 15 * SECOND;
const MOST_REMEMBERED = 10_000;

/** For messages that are work from beginning to end. */
export function oneLane(onRoom: () => void): readonly Lane[] {
  const { room, take } = makePlaces({ places: AT_ONCE, onRoom });
  return [{ room, kinds: [() => true], take }];
}

/**
 * For messages that mostly wait for another server: long waiters give their places up. Groups whose last message was
 * quick have their own lane, so that they never queue behind silent ones; of the others, slow ones come first, silent
 * ones last.
 */
export function lanesByPace(onRoom: () => void): readonly Lane[] {
  const paces = pacesOfGroups();
  const lane = (kinds: Lane['kinds'], sizes: { readonly places: number; readonly patienceMs: number }): Lane => {
    const { room, take } = makePlaces({ ...sizes, mostWaiting: MOST_WAITING, onRoom });
    const takeFor = (group: string) => {
      const [leave, begun] = [take(), monotonic()];
      const timer = setTimeout(
        () => paces.note(group, 'silent'),
        paces.of(group) === 'slow' ? SILENT_AFTER : QUICK.under,
      );
      return () => {
        clearTimeout(timer);
        paces.note(group, paceAfter(monotonic() - begun));
        leave();
      };
    };
    return { room, kinds, take: takeFor };
  };
  const hasPace = (pace: Pace | undefined) => (group: string) => paces.of(group) === pace;
  return [lane([hasPace('quick')], QUICK), lane([hasPace('slow'), hasPace(undefined), hasPace('silent')], OTHERS)];
}

/** How a group's last message went; one that takes longer than usual counts as silent until it ends. */
type Pace = 'quick' | 'slow' | 'silent';

function paceAfter(ms: number): Pace {
  if (ms < QUICK.under) return 'quick';
  return ms < SILENT_AFTER ? 'slow' : 'silent';
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
      if (byGroup.size > MOST_REMEMBERED && longestUnheard !== undefined) byGroup.delete(longestUnheard);
    },
  };
}
