import { type ShownDispute, showDispute } from '#functions/disputes/get-disputes.usecase.ts';
import {
  answerUnknown,
  applyFound,
  recordAnswer,
  releaseAnswer,
  reserveAnswer,
} from '#shared/domain/disputes/dispute.machine.ts';
import type { Dispute, DisputeAnswer, FoundDispute } from '#shared/domain/disputes/dispute.model.ts';
import { assertAnswerable } from '#shared/domain/disputes/dispute.rules.ts';
import { hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { operationId } from '#shared/kernel/operation.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DisputeEvidence } from '#shared/ports/dispute.port.ts';
import { PspNotSent, PspRefused } from '#shared/ports/psp.port.ts';
import type { PspSession } from '#shared/ports/psp-gateway.port.ts';
import { type ApplyDisputeDeps, changeDispute } from '#shared/services/disputes/apply-dispute.service.ts';
import {
  type DisputeSessionDeps,
  lookUpDispute,
  openDisputeSession,
  refOfDispute,
} from '#shared/services/disputes/dispute-session.service.ts';

type AnswerDeps = ApplyDisputeDeps & DisputeSessionDeps & Pick<Deps, 'log'>;

/** The shop gives in: the money stays with the customer. */
export const acceptDispute = (
  { id }: { readonly id: string },
  caller: Caller,
  deps: AnswerDeps,
): Promise<ShownDispute> => answerDispute(id, { type: 'accept', evidence: {} }, caller, deps);

export const submitEvidence = (
  { id, ...evidence }: { readonly id: string } & DisputeEvidence,
  caller: Caller,
  deps: AnswerDeps,
): Promise<ShownDispute> => answerDispute(id, { type: 'evidence', evidence }, caller, deps);

type Answer = { readonly type: DisputeAnswer['type']; readonly evidence: DisputeEvidence };

/** `isRepeat`: the request has crashed before, after it had stored the answer. The PSP may have it. */
type Sending = { readonly operation: string; readonly isRepeat: boolean };

/** The answer is stored before it is sent, so that nobody sends a second one, and that the timer finds it after a crash. */
async function answerDispute(id: string, answer: Answer, caller: Caller, deps: AnswerDeps): Promise<ShownDispute> {
  const dispute = orNotFound(await deps.disputes.get(caller.orgId, id), 'There is no such dispute.');
  const operation = operationId(caller.operation, 'act');
  const isRepeat = dispute.sending?.operation === operation;
  const reserved = await changeDispute(dispute, (d) => reserve(d, answer, operation, caller, deps), deps);
  if (hasMarker(reserved, operation)) return showDispute(reserved, deps);
  return showDispute(await send(reserved, answer, { operation, isRepeat }, deps), deps);
}

/** Undefined if this request has reserved it before, and then crashed. */
function reserve(
  dispute: Dispute,
  { type, evidence }: Answer,
  operation: string,
  { actorId, credentialId }: Caller,
  { psp, clock }: AnswerDeps,
): Dispute | undefined {
  if (hasMarker(dispute, operation) || dispute.sending?.operation === operation) return undefined;
  const at = clock.now();
  const fields = Object.keys(evidence);
  assertAnswerable(dispute, { type, fields }, psp.adapter(dispute.provider)?.disputes, at);
  return reserveAnswer(dispute, { type, fields, at: at.toISOString(), by: actorId ?? credentialId }, operation);
}

async function send(dispute: Dispute, answer: Answer, sending: Sending, deps: AnswerDeps): Promise<Dispute> {
  const { operation, isRepeat } = sending;
  let session: PspSession | undefined;
  try {
    session = await openDisputeSession(dispute, deps);
    const moved = isRepeat ? await movedSince(dispute, session) : undefined;
    const found = moved ?? (await callPsp(dispute, answer, operation, session));
    return await changeDispute(dispute, (d) => recordAnswer(d, operation, found, deps.clock.now()), deps);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw await notTaken(error, dispute, sending, session, deps);
  }
}

/** The dispute, if it shows that the PSP has the answer. Not all PSPs know a repeat by its key. */
async function movedSince(dispute: Dispute, session: PspSession): Promise<FoundDispute | undefined> {
  const found = await lookUpDispute(refOfDispute(dispute), session);
  return found?.status === dispute.sending?.from ? undefined : found;
}

const callPsp = (
  dispute: Dispute,
  { type, evidence }: Answer,
  operation: string,
  session: PspSession,
): Promise<FoundDispute> =>
  session.disputes(async (calls, psp) => {
    const ref = refOfDispute(dispute);
    const sent =
      type === 'accept' ? calls.accept?.(ref, operation, psp) : calls.submitEvidence?.(ref, evidence, operation, psp);
    if (!sent) throw new PspRefused('request', `${dispute.provider} takes no such answer.`);
    return sent;
  });

/** The error for the caller. The dispute can be answered again, unless the PSP may have this answer. */
async function notTaken(
  error: unknown,
  dispute: Dispute,
  { operation, isRepeat }: Sending,
  session: PspSession | undefined,
  deps: AnswerDeps,
): Promise<AppError> {
  deps.log.warn('dispute_answer_failed', { dispute_id: dispute.id, org_id: dispute.org_id, error });
  const isUnsent = error instanceof PspNotSent && !isRepeat;
  if (!(isUnsent || error instanceof PspRefused)) {
    await changeDispute(dispute, (d) => answerUnknown(d, operation), deps);
    return new AppError(
      'outcome_unknown',
      'The provider did not say whether it has this answer. The dispute is looked up; see it again in a minute.',
      { retryAfter: 60 },
    );
  }
  const released = await changeDispute(dispute, (d) => releaseAnswer(d, operation), deps);
  if (error instanceof PspRefused && error.kind === 'state' && session) await refresh(released, session, deps);
  return refusalOf(error, dispute);
}

/** The PSP says that it is too late: its state is shown from now on. */
async function refresh(dispute: Dispute, session: PspSession, deps: AnswerDeps): Promise<void> {
  const found = await lookUpDispute(refOfDispute(dispute), session).catch(() => undefined);
  if (!found) return;
  const sourceFor = ({ version }: Dispute) => (version === dispute.version ? 'look_up' : 'report');
  await changeDispute(dispute, (d) => applyFound(d, found, sourceFor(d), deps.clock.now()), deps);
}

function refusalOf(error: PspNotSent | PspRefused, { id, provider }: Dispute): AppError {
  if (error instanceof PspNotSent)
    return new AppError('provider_error', `${provider} could not be reached, so nothing was sent. Try again.`);
  if (error.kind === 'state')
    return new AppError('dispute_not_answerable', `${provider} takes no answer to the dispute ${id} any more.`);
  if (error.kind === 'request') return new AppError('dispute_answer_refused', error.message);
  return new AppError(
    'provider_error',
    `${provider} refused the call. Test the connection, or answer the dispute in the dashboard of ${provider}.`,
  );
}
