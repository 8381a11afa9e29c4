import type { EventRecord, EventType } from '#shared/domain/reference/events.catalog.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * What bulk replays may send in a window, by organization: twice the events of a key that creates payments at its limit.
 * A replay that has sent as many pauses until the window ends. Only repeated sends count, and no other delivery is limited.
 */
export const BULK_REPLAY_BUDGET = { sends: 5_000, window: 5 * MINUTE } as const;

/** An event that a bulk replay has just sent is sent again by the next one only after this time. */
export const RESEND_AFTER = 5 * MINUTE;

/** A replay that has not continued for this long after its time has lost its message. A new one may start then. */
const LOST_REPLAY_AFTER = 10 * MINUTE;

/** Events created in [since, until), of one type or of all. */
export type ReplayPeriod = {
  readonly since: string;
  readonly until: string;
  readonly type?: EventType | undefined;
};

/** An organization's running replay of failed events, or what is remembered of its last one. */
export type BulkReplay = {
  readonly org_id: string;
  /** The operation that started it. */
  readonly id: string;
  readonly started_at: string;
  /** When the replay before this one started. */
  readonly previous_started_at: string | null;
  /** Still to be done, in this order. None are left once the replay has ended. */
  readonly periods: readonly ReplayPeriod[];
  /** The number of messages that it was continued by. */
  readonly step: number;
  readonly lost_at: string;
  readonly window_ends_at: string;
  /** Sends in the budget's window. */
  readonly sends: number;
  readonly version: number;
};

const isRunning = ({ periods, lost_at }: BulkReplay, at: Date): boolean =>
  periods.length > 0 && lost_at > at.toISOString();

/** Starts a replay, or adds the period to the one that runs. */
export function startOrJoin(
  current: BulkReplay | undefined,
  period: ReplayPeriod,
  { orgId, id, at }: { readonly orgId: string; readonly id: string; readonly at: Date },
): BulkReplay {
  if (current?.id === id) return current;
  if (current && isRunning(current, at)) return joined(current, period);
  return {
    org_id: orgId,
    id,
    started_at: at.toISOString(),
    previous_started_at: current?.started_at ?? null,
    periods: [period],
    step: 0,
    lost_at: plus(at, LOST_REPLAY_AFTER).toISOString(),
    window_ends_at: current?.window_ends_at ?? at.toISOString(),
    sends: current?.sends ?? 0,
    version: (current?.version ?? 0) + 1,
  };
}

/** Periods of one replay: what does not overlap stays apart, as nobody asked for the events between. */
const MAX_PERIODS = 20;

function joined(replay: BulkReplay, period: ReplayPeriod): BulkReplay {
  const touching = replay.periods.filter((each) => each.type === period.type && overlap(each, period));
  if (touching.some((each) => isWithin(period, each))) return replay;
  const [first] = touching;
  if (!first && replay.periods.length >= MAX_PERIODS)
    throw new AppError('write_conflict', `A replay of ${MAX_PERIODS} periods is running. Try again once it has ended.`);
  const wider = {
    ...period,
    since: [period, ...touching].map(({ since }) => since).sort()[0] ?? period.since,
    until:
      [period, ...touching]
        .map(({ until }) => until)
        .sort()
        .at(-1) ?? period.until,
  };
  const others = replay.periods.filter((each) => each === first || !touching.includes(each));
  const periods = first ? others.map((each) => (each === first ? wider : each)) : [...others, period];
  return { ...replay, periods, version: replay.version + 1 };
}

const overlap = (one: ReplayPeriod, other: ReplayPeriod): boolean =>
  one.since <= other.until && one.until >= other.since;

const isWithin = (one: ReplayPeriod, other: ReplayPeriod): boolean =>
  one.since >= other.since && one.until <= other.until;

type PagePlan = {
  readonly ids: readonly string[];
  /** When the last of the events that were sent a moment ago may be sent again. */
  readonly againAt: string | undefined;
};

/** Each event is sent once in a replay. One that the replay before has just sent waits. */
export function planPage(
  events: readonly EventRecord[],
  { started_at, previous_started_at }: BulkReplay,
  at: Date,
): PagePlan {
  const ids: string[] = [];
  const waits: string[] = [];
  for (const event of events) {
    const last = event.attempts.at(-1)?.at;
    if (event.status !== 'failed' || isAttemptedSince(event, started_at)) continue;
    const again = last === undefined ? undefined : plus(last, RESEND_AFTER);
    const wasJustSent = previous_started_at !== null && isAttemptedSince(event, previous_started_at);
    if (wasJustSent && again && again > at) waits.push(again.toISOString());
    else ids.push(event.id);
  }
  return { ids, againAt: waits.sort().at(-1) };
}

export const isAttemptedSince = ({ attempts }: Pick<EventRecord, 'attempts'>, time: string): boolean =>
  (attempts.at(-1)?.at ?? '') >= time;

/** When this many events may be sent: now, or once the budget's window has ended. */
export function sendableAt({ window_ends_at, sends }: BulkReplay, count: number, at: Date): Date {
  const ends = new Date(window_ends_at);
  return ends > at && sends + count > BULK_REPLAY_BUDGET.sends ? ends : at;
}

/** Counts sends in the budget's window, and continues at `next`. */
export function continued(
  replay: BulkReplay,
  { step, sends, at, next }: { readonly step: number; readonly sends: number; readonly at: Date; readonly next: Date },
): BulkReplay {
  const isOpen = new Date(replay.window_ends_at) > at;
  return {
    ...replay,
    step,
    sends: (isOpen ? replay.sends : 0) + sends,
    window_ends_at: isOpen ? replay.window_ends_at : plus(at, BULK_REPLAY_BUDGET.window).toISOString(),
    lost_at: plus(next, LOST_REPLAY_AFTER).toISOString(),
    version: replay.version + 1,
  };
}

/** The periods that are left after one is done. One that a later call has widened meanwhile comes first, to be done again. */
export function periodsLeft(
  { periods }: BulkReplay,
  done: ReplayPeriod,
): { readonly widened: boolean; readonly periods: readonly ReplayPeriod[] } {
  const same = periods.find((each) => each.type === done.type && overlap(each, done));
  const others = periods.filter((each) => each !== same);
  return same && !isWithin(same, done)
    ? { widened: true, periods: [same, ...others] }
    : { widened: false, periods: others };
}

export const ended = (replay: BulkReplay): BulkReplay => ({ ...replay, periods: [], version: replay.version + 1 });
