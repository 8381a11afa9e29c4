import { createHash } from 'node:crypto';
import { type ChargeOrder, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import { type AdyenContext, ask, read } from '#shared/psp/adyen/adyen.client.ts';
import { fetchLink } from '#shared/psp/adyen/adyen.links.ts';
import { detailsParams } from '#shared/psp/adyen/confirm.rules.ts';
import { requestRefusal } from '#shared/psp/adyen/decline.rules.ts';
import { type Fault, refusal } from '#shared/psp/adyen/error.rules.ts';
import { toLinkOutcome, toOutcome } from '#shared/psp/adyen/mapping.rules.ts';
import { LinkReply, PaymentReply } from '#shared/psp/adyen/objects.schema.ts';
import { isLink } from '#shared/psp/adyen/references.rules.ts';
import { isDirect, linkParams, paymentParams } from '#shared/psp/adyen/request.rules.ts';
import type { Purpose } from '#shared/psp/kit/purpose.ts';

export const createCharge = (order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> =>
  (isDirect(order) ? createPayment : createLink)(order, psp);

const purposeOf = (operation: Purpose['operation'], { paymentId }: ChargeOrder): Purpose => ({ operation, paymentId });

async function createPayment(order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const params = paymentParams(order, psp.credentials);
  const answer = await ask(
    { ...purposeOf('create', order), path: '/v72/payments', params, idempotencyKey: order.attemptId },
    psp,
  );
  if (!answer.ok) return refusedCharge(answer);
  return toOutcome(read(PaymentReply, 'payment', answer.body), order.attemptId, psp.credentials.client_key);
}

async function createLink(order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const params = linkParams(order, psp.credentials);
  const answer = await ask(
    { ...purposeOf('create', order), path: '/v72/paymentLinks', params, idempotencyKey: order.attemptId },
    psp,
  );
  if (!answer.ok) return refusedCharge(answer);
  return toLinkOutcome(read(LinkReply, 'payment link', answer.body));
}

function refusedCharge(answer: Fault): PspOutcome {
  const decline = requestRefusal(answer);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer);
}

type Continuing = {
  readonly reference: string;
  readonly order: ChargeOrder;
  readonly input: Readonly<Record<string, unknown>>;
};

/** Continues with what the customer brought back. Each such input is its own call, however often it is sent. */
export async function confirmCharge({ reference, order, input }: Continuing, psp: AdyenContext): Promise<PspOutcome> {
  const purpose = purposeOf('confirm', order);
  if (isLink(reference)) return toLinkOutcome(await fetchLink(reference, purpose, psp));
  const params = detailsParams(input);
  const idempotencyKey = `${order.attemptId}-${createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 24)}`;
  const answer = await ask({ ...purpose, path: '/v72/payments/details', params, idempotencyKey }, psp);
  if (!answer.ok) return refusedCharge(answer);
  return ofThis(read(PaymentReply, 'payment', answer.body), order, psp);
}

/**
 * The browser may bring another payment's data, and Adyen then answers that one's status, which says nothing about this
 * one. Nor does an authorisation that does not name its payment; the signed notice decides then.
 */
function ofThis(reply: PaymentReply, { attemptId }: ChargeOrder, { credentials }: AdyenContext): PspOutcome {
  const { merchantReference } = reply;
  if (merchantReference && merchantReference !== attemptId)
    throw new PspRefused('request', 'What the customer brought is of another payment.');
  const outcome = toOutcome(reply, attemptId, credentials.client_key);
  return outcome.kind === 'succeeded' && !merchantReference ? { kind: 'processing', reference: attemptId } : outcome;
}
