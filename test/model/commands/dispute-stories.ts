import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import type { DisputeStep } from '#lib/simulators/simulators.port.ts';
import { type Command, command } from '#test/model/command.ts';
import { answerDispute, moveDispute, openDispute, WEBHOOKS, type Webhook } from '#test/model/commands/disputing.ts';
import { AMOUNTS, aCreation, type Method } from '#test/model/commands/making.ts';
import { aMoveOf } from '#test/model/commands/moving.ts';
import { complete } from '#test/model/commands/outside.ts';
import { look } from '#test/model/looking.ts';
import { known, type Model, type Tracked } from '#test/model/model.ts';
import { send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';
import type { Body } from '#test/support/host.ts';

const STEPS = [
  'escalate',
  'won',
  'won',
  'lost',
  'reopen',
  'accept',
  'evidence',
  'evidence',
  'refund',
  'force',
  'dispute',
  'day',
  'weeks',
  'look',
] as const;
type Step = (typeof STEPS)[number];

/** A payment that is paid, disputed at once, and what the bank, the merchant and the time make of it. */
type Story = {
  readonly amount: number;
  readonly manual: boolean;
  readonly on: Method['with'];
  readonly inquiry: boolean;
  readonly part: number;
  readonly webhook: Webhook;
  readonly fault?: Body | undefined;
  readonly steps: readonly (readonly [Step, Webhook])[];
};

/** Hits the callback of the payment, of the dispute, or none. */
const aFault: fc.Arbitrary<Body> = fc.record({
  point: fc.constantFrom('table', 'table', 'psp'),
  nth: fc.integer({ min: 1, max: 5 }),
  kind: fc.constantFrom('crash', 'error'),
  when: fc.constantFrom('before', 'after'),
  handler: fc.constantFrom('psp-webhooks', 'psp-webhooks', 'disputes', 'timers'),
});

const aStory: fc.Arbitrary<Story> = fc.record({
  amount: fc.constantFrom(...AMOUNTS),
  manual: fc.constantFrom(false, false, true),
  on: fc.constantFrom('tokens', 'page'),
  inquiry: fc.boolean(),
  part: fc.constantFrom(20, 60, 100),
  webhook: fc.constantFrom(...WEBHOOKS),
  fault: fc.option(aFault, { nil: undefined, freq: 3 }),
  steps: fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.constantFrom(...WEBHOOKS)), { minLength: 1, maxLength: 6 }),
});

/** A charge whose callback is switched off is found by nobody. */
const isHeard = ({ muted }: Model): boolean => !muted;

const told = (story: Story): Command =>
  command(`a disputed payment: ${JSON.stringify(story)}`, isHeard, (model, round) => tell(story, model, round));

async function tell(story: Story, model: Model, round: Round): Promise<void> {
  const { amount, manual, on, fault } = story;
  const method: Method = { with: on, words: ['ok', 'ok'] };
  await send(aCreation({ act: 'create', method, amount, manual }, model, round), model, round);
  const which = known(model).findIndex(({ order }) => order === model.payments.length - 1);
  const about = known(model)[which];
  if (!about) return;
  model.faulty ||= fault !== undefined;
  if (fault) await round.control('POST', '/faults', fault);
  await pay(about, which, model, round);
  openDispute(about, story, model, round);
  await pause(3);
  for (const [step, webhook] of story.steps) await take(step, { which, webhook, story }, model, round);
  await round.control('DELETE', '/faults');
}

/** Its callback may still be under way when the dispute's comes. */
async function pay(about: Tracked & { seen: Body; id: string }, which: number, model: Model, round: Round) {
  const { status, attempts } = about.seen;
  const attempt = attempts.at(-1);
  if (attempt && status === 'requires_action')
    await complete(attempt.provider, attempt.psp_reference ?? about.id, 'succeeded', round);
  if (status === 'authorized') await send(aMoveOf({ act: 'capture' }, which, model, round), model, round);
}

type Taken = { readonly which: number; readonly webhook: Webhook; readonly story: Story };

async function take(step: Step, { which, webhook, story }: Taken, model: Model, round: Round): Promise<void> {
  const about = known(model)[which]!;
  const dispute = model.disputes.findLast((each) => each.about.id === about.id);
  if (step === 'look') await look(about, model, round);
  if (step === 'day') await round.control('POST', '/clock', { advance: '25h' });
  if (step === 'weeks') await round.control('POST', '/clock', { advance: '15d' });
  if (step === 'dispute') openDispute(about, { ...story, webhook }, model, round);
  if (step === 'refund' || step === 'force') {
    const refund = { act: 'refund', part: 40, force: step === 'force' } as const;
    await send(aMoveOf(refund, which, model, round), model, round);
  }
  if (!dispute) return;
  if (step === 'accept' || step === 'evidence') await answerDispute(dispute, step, model, round);
  if (isOfBank(step)) await moveDispute(dispute, step, webhook, model, round);
}

const OF_BANK: readonly Step[] = ['escalate', 'won', 'lost', 'reopen'];
const isOfBank = (step: Step): step is DisputeStep & Step => OF_BANK.includes(step);

export const disputeStories: fc.Arbitrary<Command> = aStory.map(told);
