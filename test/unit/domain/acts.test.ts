import { describe, expect, it } from 'vitest';
import {
  type Acted,
  hasDone,
  hasNewAct,
  noteAct,
  noteStep,
} from '#shared/domain/payments/idempotency-markers.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const acts = (record: Acted, n: number, from = 0): Acted =>
  Array.from({ length: n }, (_, m) => `req_${from + m}`).reduce<Acted>(noteAct, record);
const steps = (record: Acted, n: number, at = START): Acted =>
  Array.from({ length: n }, (_, m) => `step_${m}`).reduce<Acted>((r, act) => noteStep(r, act, at), record);

describe('what was done to a record', () => {
  it('is known of the last eight requests', () => {
    const record = acts({}, 9);
    expect([hasDone(record, 'req_0'), hasDone(record, 'req_1'), hasDone(record, 'req_8')]).toEqual([false, true, true]);
  });

  it('is known of a step of a workflow, however many requests come after it', () => {
    expect(hasDone(acts(noteStep({}, 'step', START), 50), 'step')).toBe(true);
    expect(hasDone(acts(noteStep({}, 'step', START), 50), 'ste')).toBe(false);
  });

  it('is forgotten of a step after a week, when the next one comes', () => {
    const record = noteStep({}, 'step', START);
    expect(hasDone(noteStep(record, 'other', later(7 * DAY - 1)), 'step')).toBe(true);
    const week = noteStep(acts(record, 2), 'other', later(7 * DAY));
    expect([hasDone(week, 'step'), hasDone(week, 'other'), hasDone(week, 'req_0')]).toEqual([false, true, true]);
  });

  it('takes little room', () => {
    const record = steps(acts({}, 20), 100);
    expect(record.last_acts).toHaveLength(8 + 32);
    expect([hasDone(record, 'step_67'), hasDone(record, 'step_68'), hasDone(record, 'req_12')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('is new where it is the last that was noted', () => {
    const record = acts({}, 1);
    expect([
      hasNewAct(record, noteStep(record, 'step', START)),
      hasNewAct(record, acts(record, 1, 1)),
      hasNewAct(record, { ...record }),
    ]).toEqual([true, true, false]);
  });
});
