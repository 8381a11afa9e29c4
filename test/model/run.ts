import { setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { Command } from '#test/model/command.ts';
import { dashboards, holds, outages } from '#test/model/commands/dashboard.ts';
import { disputeStories } from '#test/model/commands/dispute-stories.ts';
import { disputing } from '#test/model/commands/disputing.ts';
import { latePages } from '#test/model/commands/late-pages.ts';
import { making } from '#test/model/commands/making.ts';
import { goingOn, moving } from '#test/model/commands/moving.ts';
import { banks, captureBanks, customers, looking, times } from '#test/model/commands/outside.ts';
import { racing, repeating } from '#test/model/commands/repeating.ts';
import { striking } from '#test/model/commands/striking.ts';
import { faults, scenarios } from '#test/model/commands/troubles.ts';
import { type Model, newModel } from '#test/model/model.ts';
import { bringToRest } from '#test/model/rest.ts';
import { beginRound, type Round } from '#test/model/round.ts';
import { tally } from '#test/model/tally.ts';
import { verifyRun } from '#test/model/verdict.ts';
import { endWorld, type Setup, theWorld } from '#test/model/world.ts';
import type { LogLine } from '#test/support/host.ts';

/** The frequency of each command. */
export const aCommand: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: making, weight: 2 },
  { arbitrary: goingOn, weight: 7 },
  { arbitrary: moving, weight: 2 },
  { arbitrary: repeating, weight: 2 },
  { arbitrary: racing, weight: 1 },
  { arbitrary: looking, weight: 2 },
  { arbitrary: customers, weight: 4 },
  { arbitrary: banks, weight: 1 },
  { arbitrary: captureBanks, weight: 1 },
  { arbitrary: latePages, weight: 1 },
  { arbitrary: dashboards, weight: 3 },
  { arbitrary: disputing, weight: 4 },
  { arbitrary: disputeStories, weight: 4 },
  { arbitrary: holds, weight: 1 },
  { arbitrary: outages, weight: 1 },
  { arbitrary: scenarios, weight: 4 },
  { arbitrary: faults, weight: 1 },
  { arbitrary: striking, weight: 3 },
  { arbitrary: times, weight: 3 },
);

/** A shop executes the commands; then everything comes to rest, and money, payments and events must agree. */
export async function runOnce(setup: Setup, first: Command, commands: Iterable<Command>): Promise<void> {
  const world = await theWorld();
  world.runs += 1;
  const before = world.host.logged.length;
  try {
    const round = beginRound(world, await world.shopOf(setup));
    const model = newModel();
    await first.run(model, round);
    await fc.asyncModelRun(() => ({ model, real: round }), commands);
    await verifyAtRest(model, round);
  } catch (error) {
    await endWorld();
    throw new Error(`${String(error)}${troubleIn(world.host.logged.slice(before))}`, { cause: error });
  }
}

/** The log of the service during the run. */
const troubleIn = (lines: readonly LogLine[]): string =>
  lines
    .filter(({ level }) => level === 'error')
    .map(({ event, fields }) => `\n  logged ${event}: ${inspect(fields, { breakLength: 200 })}`)
    .join('');

/** The real time after which a provider repeats a rejected callback. */
const TOLD_AGAIN = [400, 1_500, 4_000] as const;

/** After faults a provider may still have to repeat its callbacks. */
async function verifyAtRest(model: Model, round: Round): Promise<void> {
  for (const wait of model.belated ? TOLD_AGAIN : []) {
    try {
      return await verifyRound(model, round);
    } catch {
      await pause(wait);
    }
  }
  await verifyRound(model, round);
}

async function verifyRound(model: Model, round: Round): Promise<void> {
  const payments = await bringToRest(model, round);
  await verifyRun(payments, model, round);
  for (const payment of payments) tally.countPayment(payment);
}
