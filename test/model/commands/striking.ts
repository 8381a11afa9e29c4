import fc from 'fast-check';
import { type Command, command } from '#test/model/command.ts';
import { answering } from '#test/model/commands/disputing.ts';
import { making } from '#test/model/commands/making.ts';
import { goingOn } from '#test/model/commands/moving.ts';
import { repeatUntilFinal } from '#test/model/commands/repeating.ts';
import type { Body } from '#test/support/host.ts';

/** A request makes few calls before its response, so a fault at one of the first hits it. */
const aStroke: fc.Arbitrary<Body> = fc.record({
  point: fc.constantFrom('table', 'table', 'psp'),
  nth: fc.integer({ min: 1, max: 5 }),
  kind: fc.constantFrom('crash', 'crash', 'error'),
  when: fc.constantFrom('before', 'after'),
  handler: fc.constantFrom('payments', 'payment-actions'),
});

/** A request crashes half-way, and its client repeats it, or time resolves it. */
const struck = (step: Command, stroke: Body, again: boolean): Command =>
  command(
    `${step}, struck by ${JSON.stringify(stroke)}${again ? ', and asked again' : ''}`,
    (model) => step.check(model) as boolean,
    async (model, round) => {
      model.faulty = true;
      model.belated = true;
      await round.control('POST', '/faults', stroke);
      await step.run(model, round);
      await round.control('DELETE', '/faults');
      if (again && repeatUntilFinal.check(model)) await repeatUntilFinal.run(model, round);
    },
  );

const ofPayments = fc.tuple(
  fc.oneof({ arbitrary: making, weight: 1 }, { arbitrary: goingOn, weight: 4 }),
  aStroke,
  fc.boolean(),
);
const ofDisputes = fc.tuple(
  answering,
  aStroke.map((stroke): Body => ({ ...stroke, handler: 'disputes' })),
  fc.boolean(),
);

export const striking: fc.Arbitrary<Command> = fc
  .oneof({ arbitrary: ofPayments, weight: 5 }, { arbitrary: ofDisputes, weight: 1 })
  .map(([step, stroke, again]) => struck(step, stroke, again));
