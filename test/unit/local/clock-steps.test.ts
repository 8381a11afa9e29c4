import { describe, expect, it } from 'vitest';
import { clockSteps } from '#lib/local/clock-steps.ts';
import { DAY, HOUR, MINUTE, plus } from '#shared/kernel/clock.ts';
import type { DueEntry } from '#shared/ports/due.port.ts';

const START = new Date('2026-01-01T00:00:00Z');
const iso = (ms: number) => plus(START, ms).toISOString();
const anItem = (id: string, ms: number): DueEntry => ({ kind: 'payment', id, at: iso(ms), position: id });

type Setting = {
  readonly items?: readonly DueEntry[];
  /** Times at which messages are due, in ms from the start. */
  readonly messages?: readonly number[];
  /** The new due time of an item after it was run. */
  readonly run?: (item: DueEntry, at: Date) => readonly DueEntry[];
};

/** A clock that records where it stopped and what ran there. */
function steps({ items: first = [], messages: sent = [], run = () => [] }: Setting) {
  let now = START;
  let items = first;
  let messages = sent.map((ms) => plus(START, ms));
  const stood: string[] = [];
  const ran: string[] = [];
  const byTime = () => items.toSorted((a, b) => a.at.localeCompare(b.at));
  const until = (at: Date) => byTime().filter((item) => new Date(item.at) <= at);
  const move = clockSteps({
    clock: {
      now: () => now,
      stand: async (at) => {
        if (at > now) stood.push(at.toISOString());
        now = at;
      },
      run: async () => {},
    },
    due: { due: async (at) => until(at), earliest: async () => byTime()[0]?.at },
    queue: { nextVisibleAt: async () => messages[0] },
    schedules: {
      hold: async () => {},
      release: () => {},
      runAll: async () => {
        const due = until(now);
        for (const item of due) ran.push(`${item.id} ${now.toISOString()}`);
        items = [...items.filter((item) => !due.includes(item)), ...due.flatMap((item) => run(item, now))];
      },
    },
    drain: async () => {
      messages = messages.filter((at) => at > now);
    },
  });
  return { stood, ran, to: async (ms: number) => move(() => plus(START, ms)) };
}

describe('moving the clock', () => {
  it('goes to the target at once if nothing falls due', async () => {
    const { stood, to } = steps({});
    await to(31 * DAY);
    expect(stood).toEqual([iso(31 * DAY)]);
  });

  it('stops at each due time up to the target, and not beyond', async () => {
    const { ran, to } = steps({
      items: [anItem('b', 2 * HOUR), anItem('a', HOUR), anItem('c', 3 * HOUR), anItem('d', 3 * HOUR + 1)],
    });
    await to(3 * HOUR);
    expect(ran).toEqual([`a ${iso(HOUR)}`, `b ${iso(2 * HOUR)}`, `c ${iso(3 * HOUR)}`]);
  });

  it('runs work that was due already', async () => {
    const { ran, to } = steps({ items: [anItem('old', -DAY)] });
    await to(HOUR);
    expect(ran).toEqual([`old ${iso(0)}`]);
  });

  it('runs work that became due during the move, at the same time and later', async () => {
    const next: Record<string, DueEntry[]> = { a: [anItem('b', HOUR), anItem('c', 2 * HOUR)] };
    const { ran, to } = steps({ items: [anItem('a', HOUR)], run: ({ id }) => next[id] ?? [] });
    await to(DAY);
    expect(ran).toEqual([`a ${iso(HOUR)}`, `b ${iso(HOUR)}`, `c ${iso(2 * HOUR)}`]);
  });

  it('stops when messages fall due', async () => {
    const { stood, to } = steps({ messages: [MINUTE, 5 * MINUTE] });
    await to(HOUR);
    expect(stood).toEqual([iso(MINUTE), iso(5 * MINUTE), iso(HOUR)]);
  });

  it('skips work that stays due, and retries it at the next stop', async () => {
    const { ran, to } = steps({
      items: [anItem('stuck', HOUR), anItem('fine', DAY)],
      run: (item) => (item.id === 'stuck' ? [item] : []),
    });
    await to(31 * DAY);
    expect(ran.filter((line) => line.startsWith('fine'))).toEqual([`fine ${iso(DAY)}`]);
    expect(new Set(ran.filter((line) => line.startsWith('stuck')))).toEqual(
      new Set([HOUR, DAY, 31 * DAY].map((ms) => `stuck ${iso(ms)}`)),
    );
  });

  it('arrives even if the same work becomes due again and again', async () => {
    let n = 0;
    const { stood, to } = steps({ items: [anItem('x', HOUR)], run: () => [anItem(`x${++n}`, HOUR)] });
    await to(DAY);
    expect(stood.at(-1)).toBe(iso(DAY));
  });
});
