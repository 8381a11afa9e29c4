import { describe, expect, it } from 'vitest';
import {
  addMarker,
  addStepMarker,
  hasMarker,
  hasNewMarker,
  type MarkedRecord,
} from '#shared/domain/payments/idempotency-markers.rules.ts';
import { DAY } from '#shared/kernel/clock.ts';
import { later, START } from '#test/support/stopped-clock.ts';

const acts = (record: MarkedRecord, n: number, from = 0): MarkedRecord =>
  Array.from({ length: n }, (_, m) => `req_${from + m}`).reduce<MarkedRecord>(addMarker, record);
const steps = (record: MarkedRecord, n: number, at = START): MarkedRecord =>
  Array.from({ length: n }, (_, m) => `step_${m}`).reduce<MarkedRecord>((r, act) => addStepMarker(r, act, at), record);

describe('the markers of a record', () => {
  it('identify the last eight requests', () => {
    const record = acts({}, 9);
    expect([hasMarker(record, 'req_0'), hasMarker(record, 'req_1'), hasMarker(record, 'req_8')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('identify a workflow step, however many requests come after it', () => {
    expect(hasMarker(acts(addStepMarker({}, 'step', START), 50), 'step')).toBe(true);
    expect(hasMarker(acts(addStepMarker({}, 'step', START), 50), 'ste')).toBe(false);
  });

  it('of a step expire after a week, when the next one is added', () => {
    const record = addStepMarker({}, 'step', START);
    expect(hasMarker(addStepMarker(record, 'other', later(7 * DAY - 1)), 'step')).toBe(true);
    const week = addStepMarker(acts(record, 2), 'other', later(7 * DAY));
    expect([hasMarker(week, 'step'), hasMarker(week, 'other'), hasMarker(week, 'req_0')]).toEqual([false, true, true]);
  });

  it('are limited in number', () => {
    const record = steps(acts({}, 20), 100);
    expect(record.last_acts).toHaveLength(8 + 32);
    expect([hasMarker(record, 'step_67'), hasMarker(record, 'step_68'), hasMarker(record, 'req_12')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('are new in a change that adds the last one', () => {
    const record = acts({}, 1);
    expect([
      hasNewMarker(record, addStepMarker(record, 'step', START)),
      hasNewMarker(record, acts(record, 1, 1)),
      hasNewMarker(record, { ...record }),
    ]).toEqual([true, true, false]);
  });
});
