import fc from 'fast-check';
import { HOUR } from '#shared/kernel/clock.ts';
import { type Command, command } from '#test/model/command.ts';
import { aMove, aMoveOf, hasPayment, type Move, moveText } from '#test/model/commands/moving.ts';
import { look } from '#test/model/looking.ts';
import { known, type Model, nth, type Request } from '#test/model/model.ts';
import { ask, learn, send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';

/** Well within the day for which a key is valid. */
const repeatable = ({ requests }: Model, { host }: Round): Request[] =>
  requests.filter(({ at }) => host.clock.now().getTime() - at < 20 * HOUR);

const repeat = (which: number): Command =>
  command(
    `send request ${which} from the end again`,
    ({ requests }) => requests.length > 0,
    async (model, round) => {
      const request = nth(repeatable(model, round).toReversed(), which);
      if (request) await send(request, model, round);
    },
  );

/** Longer than a crashed request holds its key. */
const PATIENCE = '40s';

/** A careful client repeats the requests without a response. */
export const repeatUntilFinal: Command = command(
  'send again what has no answer',
  ({ requests }) => requests.some(({ answer, sent }) => sent > 0 && !answer),
  async (model, round) => {
    await round.control('POST', '/clock', { advance: PATIENCE });
    for (const request of repeatable(model, round).filter(({ answer }) => !answer)) await send(request, model, round);
  },
);

/** Several at once: none of them may repeat the work of another. */
const together = (moves: readonly Move[], which: number, same: boolean): Command =>
  command(
    `${moves.map(moveText).join(' and ')} at once${same ? ', each twice' : ''}, of payment ${which}`,
    hasPayment,
    async (model, round) => {
      const about = nth(known(model), which);
      const requests = moves
        .map((move) => aMoveOf(move, which, model, round))
        .flatMap((request) => (same ? [request, request] : [request]));
      const answers = await Promise.all(requests.map((request) => ask(request, round)));
      for (const [n, request] of requests.entries()) learn(request, answers[n]!, model, 'at once');
      await look(about, model, round);
    },
  );

export const repeating: fc.Arbitrary<Command> = fc.oneof(fc.nat(3).map(repeat), fc.constant(repeatUntilFinal));
export const racing: fc.Arbitrary<Command> = fc
  .tuple(fc.array(aMove, { minLength: 2, maxLength: 3 }), fc.nat(2), fc.boolean())
  .map(([moves, which, same]) => together(moves, which, same));
