import { type Clock, plus, systemClock } from '#shared/kernel/clock.ts';

// A day that every month has, far from midnight: what counts days and months finds the same ones on whatever day it
// runs. biome-ignore lint/style/noProcessEnv: another instant is for whoever wants to see what a month's or a year's
// end does.
const { TESTS_BEGIN_AT = '2031-03-02T10:00:00Z' } = process.env;

const ahead = Date.parse(TESTS_BEGIN_AT) - systemClock.now().getTime();

/** What the clocks of test hosts go by: real time, but that it began at the same instant in each run. */
export const testTime: Clock = { now: () => plus(systemClock.now(), ahead) };
