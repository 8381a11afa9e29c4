import { createHash } from 'node:crypto';
import { type ChargeOrder, type ChargeRef, type PspOutcome, PspRefused } from '#shared/ports/psp.port.ts';
import {
  type AdyenContext,
  type AdyenError,
  acceptedReference,
  modificationPath,
  modificationRefusal,
  refusal,
  sendRequest,
} from '#shared/psp/adyen/client.ts';
import { requestDecline } from '#shared/psp/adyen/declines.catalog.ts';
import { fetchLink, linkPath } from '#shared/psp/adyen/lookups.ts';
import { toLinkOutcome, toOutcome } from '#shared/psp/adyen/outcomes.rules.ts';
import { savedToken } from '#shared/psp/adyen/report.rules.ts';
import {
  isDirect,
  isLink,
  linkParams,
  modificationReference,
  paymentParams,
  usesSavedMethod,
} from '#shared/psp/adyen/requests.rules.ts';
import { type Input, pickTexts } from '#shared/psp/adyen/returns.ts';
import { LinkResponse, PaymentResponse, readObject } from '#shared/psp/adyen/schema.ts';
import type { RequestPurpose } from '#shared/psp/kit/requests.ts';

/** An expired link takes no more money, so the cancel has succeeded. */
async function expireLink(id: string, purpose: RequestPurpose, psp: AdyenContext): Promise<PspOutcome> {
  const response = await sendRequest(
    { ...purpose, method: 'PATCH', path: linkPath(id), params: { status: 'expired' } },
    psp,
  );
  if (!response.ok) throw modificationRefusal(response);
  const link = readObject(LinkResponse, 'payment link', response.body);
  return link.status === 'expired' ? { kind: 'canceled', reference: id } : toLinkOutcome(link);
}

export const createCharge = (order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> =>
  (isDirect(order) ? createPayment : createLink)(order, psp);

const purposeOf = (operation: RequestPurpose['operation'], { paymentId }: ChargeOrder): RequestPurpose => ({
  operation,
  paymentId,
});

async function createPayment(order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const params = paymentParams(order, psp.credentials);
  const response = await sendRequest(
    { ...purposeOf('create', order), path: '/v72/payments', params, idempotencyKey: order.attemptId },
    psp,
  );
  return response.ok
    ? outcomeOf(readObject(PaymentResponse, 'payment', response.body), order, psp)
    : refusedCharge(response);
}

/** The outcome, with the token if Adyen has kept the method. */
function outcomeOf(payment: PaymentResponse, order: ChargeOrder, { credentials }: AdyenContext): PspOutcome {
  const { attemptId, capture, save } = order;
  const outcome = toOutcome(payment, attemptId, credentials.client_key, capture === 'manual');
  const mayKeep = TAKEN.has(outcome.kind) && !usesSavedMethod(order);
  return mayKeep ? { ...outcome, ...savedToken({ data: payment.additionalData }, save) } : outcome;
}

/** A method is kept with a charge that succeeds, or of which nothing but the bank's money is missing. */
const TAKEN: ReadonlySet<string> = new Set(['succeeded', 'authorized', 'processing']);

async function createLink(order: ChargeOrder, psp: AdyenContext): Promise<PspOutcome> {
  const params = linkParams(order, psp.credentials);
  const response = await sendRequest(
    { ...purposeOf('create', order), path: '/v72/paymentLinks', params, idempotencyKey: order.attemptId },
    psp,
  );
  if (!response.ok) return refusedCharge(response);
  return toLinkOutcome(readObject(LinkResponse, 'payment link', response.body));
}

function refusedCharge(response: AdyenError): PspOutcome {
  const decline = requestDecline(response);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response);
}

type Confirmation = {
  readonly reference: string;
  readonly order: ChargeOrder;
  readonly input: Readonly<Record<string, unknown>>;
};

/** Continues with what the customer brought back. The key derives from the input, so that a repeat is the same call. */
export async function confirmCharge({ reference, order, input }: Confirmation, psp: AdyenContext): Promise<PspOutcome> {
  const purpose = purposeOf('confirm', order);
  if (isLink(reference)) return toLinkOutcome(await fetchLink(reference, purpose, psp));
  const params = detailsParams(input);
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 24);
  const idempotencyKey = `${order.attemptId}-${digest}`;
  const response = await sendRequest({ ...purpose, path: '/v72/payments/details', params, idempotencyKey }, psp);
  // What the browser brought is wrong. That decides nothing about the charge, which may still be paid.
  if (!response.ok) throw refusal(response);
  return outcomeOfOwn(readObject(PaymentResponse, 'payment', response.body), order, psp);
}

/**
 * The browser may bring another payment's data. Adyen then returns that payment's status and reference, which say nothing
 * about this one. Nor does a result that does not name its payment: the signed notification decides then.
 */
function outcomeOfOwn(response: PaymentResponse, order: ChargeOrder, psp: AdyenContext): PspOutcome {
  const { merchantReference } = response;
  const { attemptId } = order;
  if (merchantReference && merchantReference !== attemptId)
    throw new PspRefused('request', 'The customer returned with the data of another payment.');
  const outcome = outcomeOf(response, order, psp);
  const isOwn = Boolean(merchantReference) || outcome.kind === 'requires_action';
  return isOwn ? outcome : { kind: 'processing', reference: attemptId };
}

/**
 * No idempotency key: it would return an earlier "received" for a week, and a second cancel is harmless. A charge under
 * our own reference was never authorised, so no notification follows and it has ended. If the customer paid first, the
 * notification reports that money, and it is refunded.
 */
export async function cancelCharge(
  { reference, paymentId, attemptId }: ChargeRef,
  psp: AdyenContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'cancel', paymentId } as const;
  if (isLink(reference)) return expireLink(reference, purpose, psp);
  const params = {
    merchantAccount: psp.credentials.merchant_account,
    reference: modificationReference(paymentId, attemptId),
  };
  if (reference !== attemptId) {
    acceptedReference(await sendRequest({ ...purpose, path: modificationPath(reference, 'cancels'), params }, psp));
    return { kind: 'accepted', reference };
  }
  acceptedReference(
    await sendRequest({ ...purpose, path: '/v72/cancels', params: { ...params, paymentReference: attemptId } }, psp),
  );
  return { kind: 'canceled', reference };
}

/** The only fields that a customer may bring back from a redirect or from Adyen's components. */
const DETAIL_FIELDS = [
  'redirectResult',
  'payload',
  'MD',
  'PaRes',
  'threeDSResult',
  'threeds2.fingerprint',
  'threeds2.challengeResult',
  'oneTimePasscode',
];

/** The body of the call that continues a charge. */
function detailsParams(input: Input): object {
  const details = pickTexts(input, DETAIL_FIELDS);
  if (Object.keys(details).length === 0)
    throw new PspRefused('request', `The input has none of ${DETAIL_FIELDS.join(', ')}.`);
  return { details, ...pickTexts(input, ['paymentData']) };
}
