import { MINUTE, plus } from '#shared/kernel/clock.ts';
import {
  type ChargeOrder,
  type ChargeRef,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import { type CheckoutContext, paymentPath, refusal, sendRequest } from '#shared/psp/checkout/client.ts';
import { requestDecline } from '#shared/psp/checkout/declines.catalog.ts';
import { isPage, paymentOutcome } from '#shared/psp/checkout/lookups.ts';
import { toPageOutcome } from '#shared/psp/checkout/outcomes.rules.ts';
import { isDirect, pageBody, paymentBody } from '#shared/psp/checkout/requests.rules.ts';
import { readAccepted, readPage, readPayment } from '#shared/psp/checkout/schema.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';
import { manualOf } from '#shared/psp/kit/requests.ts';

/** Errors of a token that an earlier send may have used. */
const USED_TOKEN_ERRORS: ReadonlySet<string> = new Set(['token_used', 'token_in_use']);

export const createCharge = (order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome> =>
  (isDirect(order) ? createPayment : createPage)(order, psp);

/**
 * Checkout.com stores only successful responses under a key. After any other response the charge is searched by its
 * reference before it is sent again.
 */
async function createPayment(order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId, ...manualOf(order) } as const;
  const call = {
    ...purpose,
    path: '/payments',
    body: paymentBody(order, psp.credentials),
    idempotencyKey: order.attemptId,
  };
  const response = await sendRequest(call, psp);
  if (response.ok) return agreedOutcome(await paymentOutcome(readPayment(response.body), purpose, psp), order);
  const { status, codes } = response;
  if (codes.some((code) => USED_TOKEN_ERRORS.has(code)) && plus(order.startedAt, MINUTE) < psp.now())
    throw new PspOutcomeUnknown('The token is used, and an earlier send of this charge may have used it.');
  return refusedCharge(status, codes);
}

/** The response does not say that the customer was absent: then they agreed to nothing, and the method is not kept. */
function agreedOutcome(outcome: PspOutcome, { offSession }: ChargeOrder): PspOutcome {
  const { saved: _, ...unsaved } = outcome;
  return offSession ? unsaved : outcome;
}

function refusedCharge(status: number, codes: readonly string[]): PspOutcome {
  const decline = requestDecline(status, codes);
  if (decline === UNDECIDED)
    throw new PspOutcomeUnknown(`Checkout.com failed to process the payment (HTTP ${status}).`);
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(status, codes);
}

/** Pages have no idempotency key. A second page is harmless: nobody has the first one's URL. */
async function createPage(order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome> {
  const response = await sendRequest(
    {
      operation: 'create',
      paymentId: order.paymentId,
      path: '/hosted-payments',
      body: pageBody(order, psp.credentials),
    },
    psp,
  );
  if (!response.ok) return refusedCharge(response.status, response.codes);
  return toPageOutcome(readPage(response.body));
}

/**
 * Requests the release of an authorized amount. Neither a page nor a payment that waits for the customer can be
 * canceled. There is no key: it would return an earlier refused request, and a second release is harmless.
 */
export async function cancelCharge(
  { reference, paymentId, attemptId }: ChargeRef,
  psp: CheckoutContext,
): Promise<PspOutcome> {
  if (isPage(reference)) throw new PspRefused('state', 'Checkout.com cannot cancel a hosted page.');
  const body = { reference: attemptId, metadata: { payment_id: paymentId } };
  const response = await sendRequest(
    { operation: 'cancel', paymentId, path: `${paymentPath(reference)}/voids`, body },
    psp,
  );
  if (!response.ok)
    throw response.status === 422
      ? new PspRefused('state', 'Checkout.com cannot void this payment.', response.codes[0])
      : refusal(response.status, response.codes, 'state');
  readAccepted(response.body);
  return { kind: 'accepted', reference };
}
