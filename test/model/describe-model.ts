import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { making } from '#test/model/commands/making.ts';
import { aCommand, runOnce } from '#test/model/run.ts';
import { tally } from '#test/model/tally.ts';
import { endWorld, type Setup, verifyWorld } from '#test/model/world.ts';

// biome-ignore lint/style/noProcessEnv: how long and from where it runs is up to whoever runs the tests.
const { MODEL_RUNS, MODEL_SEED, MODEL_PATH, MODEL_REPLAY } = process.env;

/**
 * Per file in `npm test`, always the same ones; `npm run test:model` runs 2,500 per file, different ones each time.
 */
const RUNS = 60;
const USUAL_SEED = 28_112_026;
const MOST_COMMANDS = 20;

/** Runs that cover less than this prove nothing. */
const MANY = 150;
const REACHED = [
  'succeeded',
  'refunded',
  'failed',
  'canceled',
  'late success',
  'several connections',
  'review: no_verdict',
  'retry 200',
  'refund 400',
  'refund in the dashboard',
  'capture 200',
  'captured later: succeeded',
  'captured later: canceled',
  'authorization expired',
  'partly captured',
  'inquiry',
  'dispute won',
  'accept 200',
];

const SAY_EVERY = 500;

const seed = Number(MODEL_SEED ?? (MODEL_RUNS === undefined ? USUAL_SEED : Math.floor(Math.random() * 2 ** 31)));
const numRuns = Number(MODEL_RUNS ?? RUNS);

/**
 * Runs as many as configured, each with one of the set-ups. MODEL_SEED, MODEL_PATH and MODEL_REPLAY repeat a failure.
 */
export function describeModel(setups: readonly Setup[]): void {
  afterAll(endWorld);

  it(`keeps money, payments and events consistent in ${numRuns} random runs`, { timeout: 0 }, async () => {
    const commands = fc.commands([aCommand], { maxCommands: MOST_COMMANDS, size: 'max', replayPath: MODEL_REPLAY });
    const property = fc.asyncProperty(fc.constantFrom(...setups), making, commands, async (...run) => {
      await runOnce(...run);
      done += 1;
      if (done % SAY_EVERY === 0) console.log(`model of payments, seed ${seed}: ${done} runs passed`);
    });
    const begun = performance.now();
    let done = 0;
    const result = await fc.check(property, { seed, numRuns, path: MODEL_PATH });
    const seconds = Math.round((performance.now() - begun) / 1_000);
    console.log(
      `model of payments, seed ${seed}: ${result.numRuns} runs in ${seconds} s; ${tally.failovers}; ${tally.text}`,
    );
    if (result.failed) throw new Error(`${fc.defaultReportMessage(result)}\n${messageOf(result.errorInstance)}`);
    await verifyWorld();
    if (numRuns >= MANY) expect(REACHED.filter((what) => !tally.has(what))).toEqual([]);
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
