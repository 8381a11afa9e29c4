import { MINUTE, plus } from '#shared/kernel/clock.ts';
import { type ChargeOrder, type PspOutcome, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { ask, type CheckoutContext, get } from '#shared/psp/checkout/checkout.client.ts';
import { paymentOutcome } from '#shared/psp/checkout/checkout.lookups.ts';
import { requestRefusal } from '#shared/psp/checkout/decline.rules.ts';
import { refusal } from '#shared/psp/checkout/error.rules.ts';
import {
  hasEnded,
  hasTaken,
  readList,
  readPage,
  readPayment,
  toPageOutcome,
} from '#shared/psp/checkout/mapping.rules.ts';
import { Payment } from '#shared/psp/checkout/objects.schema.ts';
import { isDirect, pageBody, paymentBody } from '#shared/psp/checkout/request.rules.ts';

/** Errors of a token that an earlier send may have used, or be using. */
const SPENT: ReadonlySet<string> = new Set(['token_used', 'token_in_use']);

/**
 * The key only stores successful answers: after any other one the charge is searched by its reference before it is sent
 * again.
 */
export async function createPayment(order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  const call = {
    ...purpose,
    path: '/payments',
    body: paymentBody(order, psp.credentials),
    idempotencyKey: order.attemptId,
  };
  const answer = await ask(call, psp);
  if (answer.ok) return paymentOutcome(readPayment(answer.body), purpose, psp);
  const { status, codes } = answer;
  if (codes.some((code) => SPENT.has(code)) && plus(order.startedAt, MINUTE) < psp.now())
    throw new PspOutcomeUnknown('The token is used up, and an earlier send of this charge may have done that.');
  return refusedCharge(status, codes);
}

function refusedCharge(status: number, codes: readonly string[]): PspOutcome {
  const decline = requestRefusal(status, codes);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(status, codes);
}

/** Pages have no idempotency key. A second one is harmless: the first one's URL was never given out. */
export async function createPage(order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome> {
  const answer = await ask(
    {
      operation: 'create',
      paymentId: order.paymentId,
      path: '/hosted-payments',
      body: pageBody(order, psp.credentials),
    },
    psp,
  );
  if (!answer.ok) return refusedCharge(answer.status, answer.codes);
  return toPageOutcome(readPage(answer.body));
}

/** Far more than one charge has: each failed send may have left one behind. */
const MOST = 10;

/** Searched by our reference, which only this attempt has. Money that moved comes first, then open ones. */
export async function findCharge(order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome | undefined> {
  const purpose = { operation: 'find', paymentId: order.paymentId } as const;
  const path = `/payments?limit=${MOST}&skip=0&reference=${encodeURIComponent(order.attemptId)}`;
  const ours = readList(await get({ ...purpose, path }, psp))
    .map((each) => Payment.safeParse(each).data)
    .filter((payment) => payment !== undefined)
    .filter(({ reference }) => reference === order.attemptId);
  const found = ours.find(hasTaken) ?? ours.find((payment) => !hasEnded(payment)) ?? ours[0];
  // A failed try does not end its page; a customer without the page's URL is given a new one.
  if (!found || (hasEnded(found) && !isDirect(order))) return undefined;
  return paymentOutcome(found, purpose, psp);
}
