import * as z from 'zod';
import { MINUTE, plus } from '#shared/kernel/clock.ts';
import {
  type ChargeOrder,
  type ChargeRef,
  PspNotSent,
  type PspOperation,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import { type CheckoutContext, paymentPath, requestOrThrow, sendRequest } from '#shared/psp/checkout/client.ts';
import { hasEnded, isCaptured, toOutcome, toPageOutcome } from '#shared/psp/checkout/outcomes.rules.ts';
import { isDirect } from '#shared/psp/checkout/requests.rules.ts';
import {
  type Action,
  type Page,
  type Payment,
  readActions,
  readList,
  readPage,
  readPayment,
} from '#shared/psp/checkout/schema.ts';
import { type ChargePurpose, manualOf, type RequestPurpose } from '#shared/psp/kit/requests.ts';

export const isPage = (reference: string): boolean => reference.startsWith('hpp_');

export async function fetchPayment(id: string, purpose: RequestPurpose, psp: CheckoutContext): Promise<Payment> {
  return readPayment(await requestOrThrow({ ...purpose, path: paymentPath(id) }, psp));
}

export async function fetchPage(id: string, purpose: RequestPurpose, psp: CheckoutContext): Promise<Page> {
  return readPage(await requestOrThrow({ ...purpose, path: `/hosted-payments/${encodeURIComponent(id)}` }, psp));
}

export async function fetchActions(
  paymentId: string,
  purpose: RequestPurpose,
  psp: CheckoutContext,
): Promise<readonly Action[]> {
  return readActions(await requestOrThrow({ ...purpose, path: `${paymentPath(paymentId)}/actions` }, psp));
}

/** A charge's outcome. One that only waits for its capture is captured, if that is still allowed. */
export async function fetchCharge(
  charge: ChargeRef,
  operation: PspOperation,
  psp: CheckoutContext,
): Promise<PspOutcome> {
  const { paymentId, manual } = charge;
  const purpose = { operation, paymentId, manual };
  if (isPage(charge.reference)) return pageOutcome(await fetchPage(charge.reference, purpose, psp), purpose, psp);
  const payment = await fetchPayment(charge.reference, purpose, psp);
  if (charge.mayCapture && !manual) await captureIfOverdue(payment, charge, purpose, psp);
  return paymentOutcome(payment, purpose, psp);
}

/**
 * A paid page's outcome is its payment's. An unpaid or ended page still names the newest try, which counts only if it
 * took money, or if the page has ended and the bank may still take some.
 */
async function pageOutcome(page: Page, purpose: ChargePurpose, psp: CheckoutContext): Promise<PspOutcome> {
  const unpaid = toPageOutcome(page);
  if (!page.payment_id) return unpaid;
  const payment = await fetchPayment(page.payment_id, purpose, psp);
  if (page.status === 'Payment Received' || isCaptured(payment) || payment.status === 'Authorized')
    return paymentOutcome(payment, purpose, psp);
  const hasClosed = unpaid.kind === 'declined' && payment.status === 'Declined';
  const newestTry = hasClosed ? await paymentOutcome(payment, purpose, psp) : unpaid;
  return newestTry.kind === 'processing' ? newestTry : unpaid;
}

/** The payment does not say why it was declined. Its list of actions does. */
export async function paymentOutcome(
  payment: Payment,
  purpose: ChargePurpose,
  psp: CheckoutContext,
): Promise<PspOutcome> {
  if (payment.status !== 'Declined' || payment.response_code) return toOutcome(payment, purpose.manual);
  const declined = declinedAction(payment.actions ?? []) ?? (await fetchDeclinedAction(payment, purpose, psp));
  const { response_code, processing } = declined ?? {};
  return toOutcome({ ...payment, response_code, processing: joinedAdvice(payment.processing, processing) });
}

/** Either may have processing details without the advice that the other one has. */
const joinedAdvice = (first: Payment['processing'], second: Payment['processing']): Payment['processing'] => ({
  recommendation_code: first?.recommendation_code ?? second?.recommendation_code,
  partner_merchant_advice_code: first?.partner_merchant_advice_code ?? second?.partner_merchant_advice_code,
  partner_response_code: first?.partner_response_code ?? second?.partner_response_code,
});

type DeclinedAction = Pick<Action, 'approved' | 'response_code'> & Partial<Pick<Action, 'processing'>>;

/** A summary of actions says nothing of approval, so that an approving code (10xxx) has to tell. */
const declinedAction = <A extends DeclinedAction>(actions: readonly A[]): DeclinedAction | undefined =>
  actions.find(({ approved, response_code }) => response_code && !(approved ?? response_code.startsWith('10')));

/** Without its reason the decline counts all the same. */
async function fetchDeclinedAction(
  { id }: Payment,
  purpose: RequestPurpose,
  psp: CheckoutContext,
): Promise<DeclinedAction | undefined> {
  try {
    return declinedAction(await fetchActions(id, purpose, psp));
  } catch (error) {
    if (error instanceof PspNotSent || error instanceof PspOutcomeUnknown || error instanceof PspRefused)
      return undefined;
    throw error;
  }
}

/** Checkout.com captures by itself within moments. Before that, our capture would collide with its own. */
const CAPTURE_DELAY_MS = 10 * MINUTE;

const isCaptureOverdue = ({ status, amount, requested_on, _links }: Payment, now: Date): boolean => {
  const since = Date.parse(requested_on ?? '');
  return (
    status === 'Authorized' &&
    Boolean(amount) &&
    _links?.capture !== undefined &&
    !Number.isNaN(since) &&
    plus(new Date(since), CAPTURE_DELAY_MS) <= now
  );
};

/**
 * An account may be set to capture nothing by itself, whatever a request says. We capture only where Checkout.com
 * offers it: the whole authorized amount, as the final capture. The key derives from the payment, so that each look-up
 * makes the same call. The result comes later. After a failure the charge stays authorized, and the next look-up
 * captures it.
 */
async function captureIfOverdue(
  payment: Payment,
  charge: ChargeRef,
  purpose: RequestPurpose,
  psp: CheckoutContext,
): Promise<void> {
  if (!isCaptureOverdue(payment, psp.now())) return;
  const body = {
    amount: payment.amount,
    capture_type: 'Final',
    reference: charge.attemptId,
    metadata: routingMetadata(payment),
  };
  try {
    await sendRequest(
      { ...purpose, path: `${paymentPath(payment.id)}/captures`, body, idempotencyKey: `${payment.id}-capture` },
      psp,
    );
  } catch (error) {
    if (!(error instanceof PspNotSent || error instanceof PspOutcomeUnknown)) throw error;
  }
}

const METADATA_KEYS: ReadonlySet<string> = new Set(['org_id', 'connection_id', 'payment_id']);

/** Actions have their own metadata. The capture's event needs it to find our payment. */
const routingMetadata = ({ metadata }: Payment): object =>
  Object.fromEntries(Object.entries(metadata ?? {}).filter(([key]) => METADATA_KEYS.has(key)));

/** Far more than one charge has. Each failed send may have left a payment. */
const MAX_RESULTS = 10;

const Referenced = z.looseObject({ reference: z.string() });

/** Searched by our reference, which only this attempt has. A captured payment comes first, then an open one. */
export async function findCharge(order: ChargeOrder, psp: CheckoutContext): Promise<PspOutcome | undefined> {
  const purpose = { operation: 'find', paymentId: order.paymentId, ...manualOf(order) } as const;
  const path = `/payments?limit=${MAX_RESULTS}&skip=0&reference=${encodeURIComponent(order.attemptId)}`;
  const own = readList(await requestOrThrow({ ...purpose, path }, psp))
    .filter((each) => Referenced.safeParse(each).data?.reference === order.attemptId)
    // One of ours that is not understood may be paid, so it must not look absent.
    .map(readPayment);
  const found = own.find(isCaptured) ?? own.find((payment) => !hasEnded(payment)) ?? own[0];
  if (!found) return undefined;
  const outcome = await paymentOutcome(found, purpose, psp);
  // A failed try does not end its page. A customer without the page's URL gets a new page.
  const hasFailed = outcome.kind === 'declined' || outcome.kind === 'canceled';
  return hasFailed && !isDirect(order) ? undefined : outcome;
}
