import { createHash } from 'node:crypto';
import type { ChargeOrder, PspOutcome } from '#shared/ports/psp.port.ts';
import { type AdyenCall, type AdyenContext, ask, type Purpose, read } from '#shared/psp/adyen/adyen.client.ts';
import { fetchLink } from '#shared/psp/adyen/adyen.links.ts';
import { detailsParams } from '#shared/psp/adyen/confirm.rules.ts';
import { methodRefusal } from '#shared/psp/adyen/decline.rules.ts';
import { refusal } from '#shared/psp/adyen/error.rules.ts';
import { toLinkOutcome, toOutcome } from '#shared/psp/adyen/mapping.rules.ts';
import { LinkReply, PaymentReply } from '#shared/psp/adyen/objects.schema.ts';
import { isLink } from '#shared/psp/adyen/references.rules.ts';
import { isDirect, linkParams, paymentParams } from '#shared/psp/adyen/request.rules.ts';

export const createCharge = (order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> => (isDirect(order) ? createPayment : createLink)(order, psp);

const purposeOf = (operation: Purpose['operation'], { paymentId }: ChargeOrder): Purpose => ({ operation, paymentId });

async function createPayment(order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const params = paymentParams(order, psp.credentials);
  return charge({ ...purposeOf('create', order), path: '/v72/payments', params, idempotencyKey: order.attemptId }, order, psp);
}

async function createLink(order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const params = linkParams(order, psp.credentials);
  const answer = await ask({ ...purposeOf('create', order), path: '/v72/paymentLinks', params, idempotencyKey: order.attemptId }, psp);
  if (!answer.ok) throw refusal(answer);
  return toLinkOutcome(read(LinkReply, 'payment link', answer.body));
}

async function charge(call: AdyenCall, { attemptId }: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const answer = await ask(call, psp);
  if (answer.ok) return toOutcome(read(PaymentReply, 'payment', answer.body), attemptId, psp.credentials.client_key);
  const decline = answer.status === 422 ? methodRefusal(answer.code) : undefined;
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(answer);
}

type Continuing = { readonly reference: string; readonly order: ChargeOrder; readonly input: Readonly<Record<string, unknown>> };

/** Goes on with what the customer brought back. Each such thing is a call of its own, however often it is sent. */
export async function confirmCharge({ reference, order, input }: Continuing, psp: AdyenContext): Promise<PspOutcome> {
  const purpose = purposeOf('confirm', order);
  if (isLink(reference)) return toLinkOutcome(await fetchLink(reference, purpose, psp));
  const params = detailsParams(input);
  const idempotencyKey = `${order.attemptId}-${createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 24)}`;
  return charge({ ...purpose, path: '/v72/payments/details', params, idempotencyKey }, order, psp);
}
