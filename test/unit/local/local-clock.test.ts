import { describe, expect, it } from 'vitest';
import { LocalClock } from '#lib/local/local-clock.ts';
import { DAY, plus, SECOND } from '#shared/kernel/clock.ts';
import { openDatabase } from '#shared/store/sqlite/sqlite-database.ts';

const START = new Date('2026-01-01T00:00:00Z');

function aClock() {
  const database = openDatabase(':memory:');
  let real = START;
  const time = { now: () => real };
  return {
    clock: new LocalClock(database, time),
    pass: (ms: number) => {
      real = plus(real, ms);
    },
    restarted: () => new LocalClock(database, time),
  };
}

describe('the local clock', () => {
  it('runs', () => {
    const { clock, pass } = aClock();
    pass(SECOND);
    expect(clock.now()).toEqual(plus(START, SECOND));
  });

  it('stops, and continues from where it stopped', async () => {
    const { clock, pass } = aClock();
    await clock.stand(plus(START, DAY));
    pass(SECOND);
    expect(clock.now()).toEqual(plus(START, DAY));
    await clock.run();
    pass(SECOND);
    expect(clock.now()).toEqual(plus(START, DAY + SECOND));
  });

  it('keeps its offset across a restart', async () => {
    const { clock, restarted } = aClock();
    await clock.stand(plus(START, DAY));
    await clock.run();
    expect(restarted().now()).toEqual(plus(START, DAY));
  });

  it('does not go back after a crash while it was stopped', async () => {
    const { clock, pass, restarted } = aClock();
    await clock.stand(plus(START, DAY));
    pass(SECOND);
    expect(restarted().now()).toEqual(plus(START, DAY + SECOND));
  });

  it('does not go back', async () => {
    const { clock } = aClock();
    await clock.stand(plus(START, -DAY));
    expect(clock.now()).toEqual(START);
  });
});
