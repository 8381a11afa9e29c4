import fc from 'fast-check';
import { always, type Command, command } from '#test/model/command.ts';
import { hasPayment } from '#test/model/commands/moving.ts';
import { look } from '#test/model/looking.ts';
import { known, type Model, nth, type Tracked } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import type { Body } from '#test/support/host.ts';

type Ending = 'succeeded' | 'failed';
const anEnding = fc.constantFrom<Ending>('succeeded', 'succeeded', 'failed');

const glance = (which: number): Command =>
  command(`look at payment ${which}`, hasPayment, (model, round) => look(nth(known(model), which), model, round));

/** Changes without a callback are found only while the payment is waited for. */
const isWaitedFor = ({ status }: Body): boolean => status === 'processing' || status === 'requires_action';

/** With several accounts at one provider the simulator cannot tell from the payment id which one is meant. */
const hasSibling = ({ provider, connection_id }: Body, { attempts }: Body): boolean =>
  attempts.some((a: Body) => a.provider === provider && a.connection_id !== connection_id);

/**
 * An action of the customer or the bank on an attempt, the newest being 0, even if the attempt or the payment is over
 * for the service.
 */
const customer = (outcome: Ending, which: number, back: number): Command =>
  command(
    `the customer of payment ${which} has ${outcome} at try ${back} from the end`,
    hasPayment,
    async (model, round) => {
      const about = nth(known(model), which);
      if (model.muted) await look(about, model, round);
      const attempt = about.seen.attempts.at(-1 - (model.muted ? 0 : back));
      // A try whose answer was lost may have been declined: who pays it then, without a word to us, is found by nobody.
      if (!attempt || (model.muted && (!isWaitedFor(about.seen) || attempt.psp_reference === null))) return;
      const reference = attempt.psp_reference ?? (hasSibling(attempt, about.seen) ? undefined : about.id);
      if (reference) await complete(attempt.provider, reference, outcome, round);
    },
  );

/** The final outcome of a refund at the bank. */
const bank = (outcome: Ending, which: number): Command =>
  command(`the last refund of payment ${which} has ${outcome}`, hasPayment, async (model, round) => {
    const about: Tracked = nth(known(model), which);
    const refund = about.seen?.refunds.findLast((r: Body) => r.psp_reference !== null);
    const attempt = about.seen?.attempts.find((a: Body) => a.id === refund?.attempt_id);
    if (!refund || (model.muted && refund.status !== 'pending')) return;
    await complete(attempt.provider, refund.psp_reference, outcome, round);
  });

/** The bank decides a capture that is pending. */
const bankOfCapture = (outcome: Ending, which: number): Command =>
  command(`the last capture of payment ${which} has ${outcome}`, hasPayment, async (model, round) => {
    const about: Tracked = nth(known(model), which);
    const { captures = [], attempts = [] } = about.seen ?? {};
    const capture = captures.findLast((c: Body) => c.status === 'pending' && c.psp_reference !== null);
    const attempt = attempts.find((a: Body) => a.id === capture?.attempt_id);
    if (capture && attempt) await complete(attempt.provider, capture.psp_reference, outcome, round);
  });

/** A reference that the provider does not know is that of a call which never arrived. */
export const complete = (provider: string, reference: string, outcome: Ending, { host }: Round): Promise<Body> =>
  host.controlReply('POST', '/psp/complete', { provider, reference, outcome });

const MOVES = ['11s', '11s', '40s', '61s', '61s', '6m', '30m', '2h', '25h', '3d', '8d'] as const;

const time = (by: string): Command =>
  command(`${by} go by`, always, (_: Model, { control }) => control('POST', '/clock', { advance: by }));
const quiet: Command = command('all that is under way arrives', always, (_: Model, { control }) =>
  control('POST', '/drain'),
);

export const looking: fc.Arbitrary<Command> = fc.nat(2).map(glance);
export const customers: fc.Arbitrary<Command> = fc
  .tuple(anEnding, fc.nat(2), fc.constantFrom(0, 0, 1))
  .map(([outcome, which, back]) => customer(outcome, which, back));
export const banks: fc.Arbitrary<Command> = fc
  .tuple(anEnding, fc.nat(2))
  .map(([outcome, which]) => bank(outcome, which));
export const captureBanks: fc.Arbitrary<Command> = fc
  .tuple(anEnding, fc.nat(2))
  .map(([outcome, which]) => bankOfCapture(outcome, which));
export const times: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.constantFrom(...MOVES).map(time), weight: 4 },
  { arbitrary: fc.constant(quiet), weight: 1 },
);
