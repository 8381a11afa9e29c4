import { type Clock, plus, systemClock } from '#shared/kernel/clock.ts';

// A day that every month has, far from midnight: what counts days and months finds the same ones whenever it runs.
// biome-ignore lint/style/noProcessEnv: another instant shows what the end of a month or of a year does.
const { TESTS_BEGIN_AT = '2031-03-02T10:00:00Z' } = process.env;

const ahead = Date.parse(TESTS_BEGIN_AT) - systemClock.now().getTime();

/** The clock of test hosts: real time, but starting at the same instant in each run. */
export const testTime: Clock = { now: () => plus(systemClock.now(), ahead) };
