import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { type ChargeOrder, PspNotSent, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { spokenDecline } from '#shared/psp/flutterwave/decline.rules.ts';
import {
  type FlutterwaveRefusal,
  isAboutCredentials,
  isInDoubt,
  refusal,
} from '#shared/psp/flutterwave/error.rules.ts';
import { ask, type FlutterwaveContext } from '#shared/psp/flutterwave/flutterwave.client.ts';
import { directReference, transactionOf } from '#shared/psp/flutterwave/flutterwave.lookups.ts';
import { read, readTransaction, toOutcome } from '#shared/psp/flutterwave/mapping.rules.ts';
import { toNextAction } from '#shared/psp/flutterwave/next-action.rules.ts';
import { Page, Transaction } from '#shared/psp/flutterwave/objects.schema.ts';
import { type ChargeRequest, chargeRequest, PAGE_MINUTES } from '#shared/psp/flutterwave/request.rules.ts';

/**
 * There is no idempotency key, and a `tx_ref` that was used already is not reliably refused: this is sent once, and
 * looked up after that.
 */
export async function createCharge(order: ChargeOrder, psp: FlutterwaveContext): Promise<PspOutcome> {
  const request = chargeRequest(order);
  const call = { operation: 'create', paymentId: order.paymentId, path: request.path, body: request.body } as const;
  const answer = await ask(call, psp);
  if (request.kind === 'page')
    return answer.ok ? pageShown(read(Page, 'hosted page', answer.data), order) : refusedPage(answer);
  if (!answer.ok) return refused(answer, request, order, psp);
  // Some mobile-money answers have no data, and so no transaction id.
  if (answer.data === undefined || answer.data === null) return nameless(toNextAction(answer.meta), order, psp);
  const transaction = readTransaction(answer.data);
  if (transaction.tx_ref !== order.attemptId)
    throw new PspOutcomeUnknown('Flutterwave answers with another transaction.');
  return toOutcome(transaction, toNextAction(answer.meta, transaction));
}

/** UNVERIFIED from when the session counts: from the first send is the earliest. */
function pageShown({ link }: { readonly link: string }, { attemptId, startedAt }: ChargeOrder): PspOutcome {
  const expires_at = plus(startedAt, PAGE_MINUTES * MINUTE).toISOString();
  return {
    kind: 'requires_action',
    reference: attemptId,
    action: { type: 'redirect', url: link, method: 'GET' },
    expires_at,
  };
}

function refusedPage(answer: FlutterwaveRefusal): PspOutcome {
  const decline = isAboutCredentials(answer) ? undefined : spokenDecline(answer.message, false);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer);
}

async function nameless(
  action: NextAction | undefined,
  order: ChargeOrder,
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  const transaction = await lookedUp(order, psp).catch((error: unknown) => {
    if (action && (error instanceof PspNotSent || error instanceof PspOutcomeUnknown)) return undefined;
    throw unseen(error);
  });
  if (transaction) return toOutcome(transaction, action);
  if (!action) throw new PspOutcomeUnknown('Flutterwave took the charge and does not show it yet.');
  return { kind: 'requires_action', reference: directReference(order.attemptId), action };
}

/**
 * Flutterwave's own time-outs are 400s too, so the charge is looked up before the refusal counts. If there is none, a
 * reason that is clearly the customer's is a decline, any other is about us.
 */
async function refused(
  answer: FlutterwaveRefusal,
  { kind }: ChargeRequest,
  order: ChargeOrder,
  psp: FlutterwaveContext,
): Promise<PspOutcome> {
  if (isAboutCredentials(answer)) throw refusal(answer);
  const told = Transaction.safeParse(answer.data).data;
  if (told?.tx_ref === order.attemptId && told.status === 'failed') return toOutcome(told);
  const transaction = await lookedUp(order, psp).catch((error: unknown) => {
    throw unseen(error);
  });
  if (transaction) return toOutcome(transaction);
  if (isInDoubt(answer)) throw new PspOutcomeUnknown('Flutterwave gives no verdict, and does not show the charge yet.');
  const decline = spokenDecline(answer.message, kind === 'token');
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer);
}

const lookedUp = ({ attemptId, paymentId }: ChargeOrder, psp: FlutterwaveContext): Promise<Transaction | undefined> =>
  transactionOf(attemptId, { operation: 'find', paymentId }, psp);

/** The charge was sent: a failed look-up must not read as if it was not. */
const unseen = (cause: unknown): PspOutcomeUnknown =>
  new PspOutcomeUnknown('The charge was sent and could not be looked up.', { cause });
