import fc from 'fast-check';
import type { DisputeStep } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { type Command, command } from '#test/model/command.ts';
import { hasPayment } from '#test/model/commands/moving.ts';
import { type Act, known, type Model, nth, type OpenedDispute, type Tracked } from '#test/model/model.ts';
import { newRequest, send } from '#test/model/requests.ts';
import type { Round } from '#test/model/round.ts';
import { tally } from '#test/model/tally.ts';
import type { Body } from '#test/support/host.ts';

/** How the callbacks of a change arrive. */
export const WEBHOOKS = ['normal', 'normal', 'normal', 'none', 'duplicate', 'reordered', 'late:15'] as const;
export type Webhook = (typeof WEBHOOKS)[number];

/** Out of a hundred of the payment's amount; the bank takes no more than the charge. */
const PARTS = [20, 60, 100] as const;

type Opening = { readonly part: number; readonly inquiry: boolean; readonly webhook: Webhook };

/**
 * Adyen has no look-up: what it does not report stays unknown for good. Mollie's disputes begin as lost, and what has
 * ended is looked up no more.
 */
const heard = (provider: Provider, webhook: Webhook): Webhook =>
  webhook === 'none' && (provider === 'adyen' || provider === 'mollie') ? 'normal' : webhook;

/** The customer disputes the newest charge, of which the service may not know yet. */
export function openDispute(
  about: Tracked & { readonly id: string },
  { part, inquiry, webhook }: Opening,
  model: Model,
  { host }: Round,
): void {
  const providers: readonly Provider[] = (about.seen?.attempts ?? []).map(({ provider }: Body) => provider);
  const provider = providers.at(-1);
  if (provider === undefined) return;
  const how = heard(provider, webhook);
  // The charge may not be known yet, or a fault may hit the callback: then it is repeated.
  model.belated = true;
  const input = { amount: Math.ceil((about.amount * part) / 100), inquiry, webhook: how };
  const reference = host.simulators.openDispute(provider, about.id, input);
  if (reference === undefined) return;
  model.disputes.push({ provider, reference, about, isTold: how !== 'none' });
  tally.count(inquiry ? 'inquiry' : 'dispute');
}

const disputed = (opening: Opening, which: number): Command =>
  command(`the customer disputes payment ${which}: ${JSON.stringify(opening)}`, hasPayment, async (model, round) =>
    openDispute(nth(known(model), which), opening, model, round),
  );

const hasDispute = ({ disputes }: Model): boolean => disputes.length > 0;

/** A step that the state does not allow does nothing, and tells nobody. */
const stateOf = ({ about, reference }: OpenedDispute, { host }: Round): string | undefined =>
  host.simulators.calls({ payment_id: about.id ?? '' }).disputes?.find((each) => each.reference === reference)?.state;

/** The bank's next step. What has ended is looked up no more, so that only a callback opens it again. */
export async function moveDispute(
  dispute: OpenedDispute,
  step: DisputeStep,
  webhook: Webhook,
  model: Model,
  round: Round,
): Promise<void> {
  const how = step === 'reopen' ? 'normal' : heard(dispute.provider, webhook);
  model.belated = true;
  if (step === 'reopen') await round.control('POST', '/drain');
  const before = stateOf(dispute, round);
  round.host.simulators.moveDispute(dispute.provider, dispute.reference, step, how);
  dispute.isTold ||= how !== 'none' && stateOf(dispute, round) !== before;
  tally.count(`bank: ${step}`);
}

const moved = (step: DisputeStep, webhook: Webhook, which: number): Command =>
  command(`the bank: ${step}, of dispute ${which}, callbacks ${webhook}`, hasDispute, async (model, round) =>
    moveDispute(nth(model.disputes, which), step, webhook, model, round),
  );

/** Read in the store, as a request of the API could take the fault that is meant for the answer. */
const idOf = async ({ provider, reference }: OpenedDispute, { host }: Round): Promise<string | undefined> =>
  (await host.deps.disputes.byPspReference(provider, reference))?.id;

const TEXTS = { explanation: 'It was delivered.', tracking_number: '1Z999' } as const;

/** Only the texts that the provider takes; or one, if it takes none. */
function textsOf(provider: Provider, { host }: Round): Body {
  const fields: readonly string[] = host.deps.psp.adapter(provider)?.disputes?.evidenceFields ?? [];
  const taken = Object.entries(TEXTS).filter(([name]) => fields.includes(name));
  return taken.length > 0 ? Object.fromEntries(taken) : { explanation: TEXTS.explanation };
}

type Answer = Extract<Act, 'accept' | 'evidence'>;

export async function answerDispute(dispute: OpenedDispute, act: Answer, model: Model, round: Round): Promise<void> {
  const id = await idOf(dispute, round);
  if (id === undefined) return;
  const body = act === 'evidence' ? textsOf(dispute.provider, round) : undefined;
  await send(newRequest(act, dispute.about, `/v1/disputes/${id}/${act}`, body, model, round), model, round);
}

const answered = (act: Answer, which: number): Command =>
  command(`the merchant: ${act}, of dispute ${which}`, hasDispute, async (model, round) =>
    answerDispute(nth(model.disputes, which), act, model, round),
  );

/** Two at the same instant, of which neither knows of the other. */
const together = (act: Answer, step: 'won' | 'lost', which: number): Command =>
  command(`the merchant: ${act}, of dispute ${which}, beside the bank: ${step}`, hasDispute, async (model, round) => {
    const dispute = nth(model.disputes, which);
    const answering = answerDispute(dispute, act, model, round);
    await moveDispute(dispute, step, 'normal', model, round);
    await answering;
  });

const anAnswer = fc.constantFrom<Answer>('accept', 'evidence', 'evidence');
const aWebhook = fc.constantFrom(...WEBHOOKS);
const anOpening = fc.record({ part: fc.constantFrom(...PARTS), inquiry: fc.boolean(), webhook: aWebhook });

export const answering: fc.Arbitrary<Command> = fc
  .tuple(anAnswer, fc.nat(2))
  .map(([act, which]) => answered(act, which));

export const disputing: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.tuple(anOpening, fc.nat(2)).map(([opening, which]) => disputed(opening, which)), weight: 4 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom<DisputeStep>('escalate', 'won', 'lost', 'reopen'), aWebhook, fc.nat(2))
      .map(([step, webhook, which]) => moved(step, webhook, which)),
    weight: 4,
  },
  { arbitrary: answering, weight: 3 },
  {
    arbitrary: fc
      .tuple(anAnswer, fc.constantFrom('won', 'lost'), fc.nat(2))
      .map(([act, step, which]) => together(act, step, which)),
    weight: 1,
  },
);
