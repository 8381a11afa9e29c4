import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Act, Model, Request, Tracked } from '#test/model/model.ts';
import type { Round } from '#test/model/round.ts';
import { tally } from '#test/model/tally.ts';
import { see } from '#test/model/watch.ts';
import type { ApiResponse, Body } from '#test/support/host.ts';

const ANSWER_REFUSALS = [
  'outcome_unknown',
  'dispute_not_answerable',
  'dispute_answer_unsupported',
  'dispute_answer_refused',
] as const;

/** The codes with which each request may be refused. */
const REFUSALS: Readonly<Record<Act, readonly string[]>> = {
  create: [],
  intent: [],
  confirm: ['outcome_unknown', 'payment_not_confirmable'],
  retry: ['outcome_unknown', 'payment_not_retryable', 'retry_budget_exhausted'],
  capture: ['outcome_unknown', 'payment_not_capturable', 'capture_exceeds_authorized'],
  cancel: ['outcome_unknown', 'payment_not_cancelable', 'provider_error'],
  refund: ['outcome_unknown', 'payment_not_refundable', 'refund_exceeds_remaining', 'payment_disputed'],
  accept: [...ANSWER_REFUSALS],
  evidence: [...ANSWER_REFUSALS, 'invalid_request'],
};

/** Responses that do not use up the key: the same request can still be executed. */
const NOT_KEPT: ReadonlySet<string> = new Set(['outcome_unknown', 'idempotency_in_progress']);

export function newRequest(act: Act, about: Tracked, path: string, body: Body, model: Model, { host }: Round): Request {
  const request: Request = {
    act,
    about,
    path,
    body,
    key: randomUUID(),
    at: host.clock.now().getTime(),
    sent: 0,
    troubled: false,
  };
  model.requests.push(request);
  return request;
}

export async function send(request: Request, model: Model, round: Round): Promise<void> {
  learn(request, await ask(request, round), model, 'in turn');
}

export async function ask(request: Request, round: Round): Promise<ApiResponse> {
  request.sent += 1;
  if (request.act === 'retry') request.about.retriesAsked += 1;
  // A review may have begun since the payment was last read.
  if (request.act === 'cancel') request.endsReview ||= await isInReview(request.about, round);
  return round.post(request.path, request.body, request.key);
}

async function isInReview({ id }: Tracked, { host }: Round): Promise<boolean> {
  const payment = id === undefined ? undefined : await host.deps.payments.byId(id);
  return payment?.review != null;
}

/** `at once`: other requests ran at the same time, so that the order of reads is unknown. */
export function learn(request: Request, answer: ApiResponse, model: Model, how: 'in turn' | 'at once'): void {
  const { act, about } = request;
  const code = answer.status < 300 ? undefined : String(answer.body?.code ?? answer.body?.message);
  tally.count(`${act} ${answer.status}`);
  if (code === 'idempotency_in_progress' && request.sent > 1) return;
  if (request.answer) {
    verifyRepeat(request, answer, model);
    return;
  }
  verifyAllowed(request, answer, code, model);
  if (act === 'retry') countRetry(request, answer);
  if (act === 'cancel' && code === undefined && (request.endsReview || about.seen?.review)) about.reviewEnded = true;
  if (answer.status < 500 && !NOT_KEPT.has(code ?? '')) request.answer = answer;
  if (code !== undefined || isAnswer(act)) return;
  // Stored at the first time, so it shows the payment as it was then.
  const isOld = answer.headers.has('idempotency-replayed') || (act === 'create' && request.sent > 1);
  about.id ??= answer.body.id;
  expect(answer.body.id, 'another payment for the same key').toBe(about.id);
  if (!isOld && how === 'in turn') see(about, answer.body);
}

/** Its response is a dispute, and no payment. */
const isAnswer = (act: Act): boolean => act === 'accept' || act === 'evidence';

function countRetry(request: Request, { status }: ApiResponse): void {
  const { retries } = request.about;
  if (status >= 500 && !request.troubled) retries.unsure += 1;
  if (status < 300) retries.sure += 1;
  if (status < 300 && request.troubled) retries.unsure -= 1;
  request.troubled ||= status >= 500;
}

function verifyAllowed(
  { act, about, sent, body }: Request,
  answer: ApiResponse,
  code: string | undefined,
  model: Model,
): void {
  const said = `${act}: ${answer.status} ${code ?? ''}`;
  if (code === undefined) {
    // A request that crashed may have been executed before the cancel: its repeat returns the payment as it is now.
    const isNew = act !== 'cancel' && !isAnswer(act) && sent === 1;
    expect(isNew && about.seen?.status === 'canceled', `${said} of a canceled payment`).toBe(false);
    return;
  }
  // What the provider refuses as disputed may be refused without force only.
  if (code === 'payment_disputed')
    expect([body.force, answer.body.details.amount_disputed > 0], said).toEqual([undefined, true]);
  const isTrouble = answer.status >= 500 && (model.faulty || (isAnswer(act) && code === 'provider_error'));
  // A method is refused while the payment is being charged with one.
  const isLate = act === 'confirm' && code === 'invalid_request' && body !== undefined;
  expect(isTrouble || isLate || REFUSALS[act].includes(code), said).toBe(true);
}

/** A response is repeated for the same key; with failing calls, storing the response may have failed. */
function verifyRepeat({ answer: first }: Request, answer: ApiResponse, { faulty }: Model): void {
  if (faulty) return;
  expect([answer.status, answer.text], 'the answer to the same request again').toEqual([first?.status, first?.text]);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
}
