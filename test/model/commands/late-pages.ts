import fc from 'fast-check';
import { type Command, command } from '#test/model/command.ts';
import { AMOUNTS, aCreation } from '#test/model/commands/making.ts';
import { aMoveOf } from '#test/model/commands/moving.ts';
import { complete } from '#test/model/commands/outside.ts';
import { look } from '#test/model/looking.ts';
import { known, type Model } from '#test/model/model.ts';
import { send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';
import type { Body } from '#test/support/host.ts';

/**
 * The course of a payment with two pages: which one is paid in which order, with which amount, and the requests in
 * between.
 */
type Late = {
  readonly amount: number;
  readonly manual: boolean;
  readonly odd: number;
  readonly refused: number;
  readonly steps: readonly ('pay first' | 'pay second' | 'fail second' | 'cancel' | 'retry')[];
};

const aLate: fc.Arbitrary<Late> = fc.record({
  amount: fc.constantFrom(...AMOUNTS),
  manual: fc.boolean(),
  odd: fc.constantFrom(0, 1, 1, 2),
  refused: fc.constantFrom(0, 0, 1, 2),
  steps: fc.array(fc.constantFrom('pay first', 'pay first', 'pay second', 'fail second', 'cancel', 'retry'), {
    minLength: 1,
    maxLength: 4,
  }),
});

/** A charge on an expired page without a callback is found by nobody. */
const isHeard = ({ muted }: Model): boolean => !muted;

const late = (story: Late): Command =>
  command(`two pages: ${JSON.stringify(story)}`, isHeard, (model, round) => live(story, model, round));

async function live(story: Late, model: Model, round: Round): Promise<void> {
  for (const provider of new Set(round.shop.providers)) await arrange(provider, story, round);
  const pages = await twoPages(story, model, round);
  if (!pages) return;
  const { which, references } = pages;
  for (const step of story.steps) {
    if (step === 'cancel' || step === 'retry') await send(aMoveOf({ act: step }, which, model, round), model, round);
    else await atPage(references[step === 'pay first' ? 0 : 1], step === 'fail second' ? 'failed' : 'succeeded', round);
    await look(known(model)[which]!, model, round);
  }
}

async function arrange(provider: string, { odd, refused }: Late, { control }: Round): Promise<void> {
  if (odd > 0) await control('POST', '/psp/scenario', { provider, behaviour: 'wrong_amount', times: odd });
  const declined = { provider, behaviour: 'decline:card_declined', match: { operation: 'refund' }, times: refused };
  if (refused > 0) await control('POST', '/psp/scenario', declined);
}

type Page = { readonly provider: string; readonly reference: string } | undefined;

/** The first page expires and the payment is retried; undefined if faults that were arranged before interfere. */
async function twoPages(
  { amount, manual }: Late,
  model: Model,
  round: Round,
): Promise<{ which: number; references: readonly Page[] } | undefined> {
  await send(
    aCreation({ act: 'create', method: { with: 'page', words: [] }, amount, manual }, model, round),
    model,
    round,
  );
  const which = known(model).findIndex(({ order }) => order === model.payments.length - 1);
  const about = known(model)[which];
  if (about?.seen.status !== 'requires_action') return undefined;
  await round.control('POST', '/clock', { advance: '26h' });
  await look(about, model, round);
  if (about.seen.status !== 'failed') return undefined;
  await send(aMoveOf({ act: 'retry' }, which, model, round), model, round);
  return { which, references: known(model)[which]!.seen.attempts.map(pageOf) };
}

const pageOf = ({ provider, psp_reference }: Body): Page =>
  psp_reference === null ? undefined : { provider, reference: psp_reference };

async function atPage(page: Page, outcome: 'succeeded' | 'failed', round: Round): Promise<void> {
  if (page) await complete(page.provider, page.reference, outcome, round);
  await round.control('POST', '/drain');
}

export const latePages: fc.Arbitrary<Command> = aLate.map(late);
