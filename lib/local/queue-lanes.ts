import { makePlaces } from '#lib/local/places.ts';
import { monotonic, SECOND } from '#shared/kernel/clock.ts';

/** Places to work in, and whose messages may take them. */
export type Lane = {
  readonly room: () => number;
  /** Which groups are served, one such kind after the other. */
  readonly kinds: readonly ((group: string) => boolean)[];
  /** Takes a place for a message of this group; answers how to leave. */
  readonly take: (group: string) => () => void;
};

const AT_ONCE = 24;
/** Of those whose last message took no longer: what they have begun is about to end, or waits and needs no place. */
const QUICK = { under: SECOND, places: AT_ONCE, patienceMs: 25 };
/** Of all others: four begin every 100 ms, with one wait for the disk, so that a thousand that fall silent are a little work for half a minute. */
const OTHERS = { places: 4, patienceMs: 100 };
/** So many of each wait without a place, each with a connection open: more than begin at that pace within the 30 s that a receiver has. Who comes after them keeps its place. */
const MOST_WAITING = 2_000;
/** Whoever took longer may as well not have answered. */
const SILENT_AFTER = 15 * SECOND;
const MOST_REMEMBERED = 10_000;

/** Where messages are work from beginning to end. */
export function oneLane(onRoom: () => void): readonly Lane[] {
  const { room, take } = makePlaces({ places: AT_ONCE, onRoom });
  return [{ room, kinds: [() => true], take }];
}

/**
 * Where messages mostly wait for somebody else's server, who waits long gives its place up. Groups whose last message was
 * quick have a lane of their own, so that they never stand behind those who may be silent; of the others those go first that
 * take their time but answer, and those last that don't.
 */
export function lanesByPace(onRoom: () => void): readonly Lane[] {
  const paces = pacesOfGroups();
  const lane = (kinds: Lane['kinds'], sizes: { readonly places: number; readonly patienceMs: number }): Lane => {
    const { room, take } = makePlaces({ ...sizes, mostWaiting: MOST_WAITING, onRoom });
    const takeFor = (group: string) => {
      const [leave, begun] = [take(), monotonic()];
      const timer = setTimeout(() => paces.note(group, 'silent'), paces.of(group) === 'slow' ? SILENT_AFTER : QUICK.under);
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

/** How a group's last message went: one that is under way for longer than usual counts as silent until it ends. */
type Pace = 'quick' | 'slow' | 'silent';

function paceAfter(ms: number): Pace {
  if (ms < QUICK.under) return 'quick';
  return ms < SILENT_AFTER ? 'slow' : 'silent';
}

/** The pace of each group; the groups longest unheard of are forgotten. */
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
