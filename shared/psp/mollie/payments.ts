import type { Decline } from '#shared/domain/payments/declines.catalog.ts';
import {
  type ChargeOrder,
  type ChargeRef,
  type PspOutcome,
  PspOutcomeUnknown,
  PspRefused,
} from '#shared/ports/psp.port.ts';
import { isRepeat } from '#shared/psp/kit/requests.ts';
import {
  type MollieCall,
  type MollieContext,
  paymentPath,
  refusal,
  releasePath,
  sendRequest,
} from '#shared/psp/mollie/client.ts';
import { customerDecline, mandateDecline, requestDecline } from '#shared/psp/mollie/declines.catalog.ts';
import { type CaptureRule, chargeOutcome, fetchPayment } from '#shared/psp/mollie/lookups.ts';
import { toOutcome } from '#shared/psp/mollie/outcomes.rules.ts';
import { paymentBody } from '#shared/psp/mollie/requests.rules.ts';
import type { MollieError } from '#shared/psp/mollie/schema.ts';
import { readPayment } from '#shared/psp/mollie/schema.ts';

function declineFor(body: Readonly<Record<string, unknown>>, status: number, error: MollieError): Decline | undefined {
  if (body.sequenceType === 'recurring') return mandateDecline(status, error);
  return 'customerId' in body ? customerDecline(status, error) : requestDecline(status, error);
}

/** Loaded by the first charge that saves its method. */
const customerFor = async (order: ChargeOrder, psp: MollieContext): Promise<string | undefined> =>
  (await import('#shared/psp/mollie/customers.ts')).customerToSave(order, psp);

const ruleOf = ({ capture }: ChargeOrder): CaptureRule => ({ mayCapture: true, manual: capture === 'manual' });

export async function createCharge(order: ChargeOrder, psp: MollieContext): Promise<PspOutcome> {
  const purpose = { operation: 'create', paymentId: order.paymentId } as const;
  // Built first, so that what Mollie cannot express is found before anything is sent.
  const unsaved = paymentBody(order);
  const customer = order.save && (await customerFor(order, psp));
  const body = customer === undefined ? unsaved : paymentBody(order, customer);
  const response = await sendRequest(
    { ...purpose, method: 'POST', path: '/payments', body, idempotencyKey: order.attemptId },
    psp,
  );
  if (response.ok) return chargeOutcome(ruleOf(order), readPayment(response.body), purpose, psp);
  const isMandated = body.sequenceType === 'recurring';
  const decline = declineFor(body, response.status, response.error);
  // A token pays once. In a repeat it may be used by the first send, which then has charged. A mandate is not used up.
  if (decline && !isMandated && isRepeat(order, psp))
    throw new PspOutcomeUnknown('Mollie refuses a token that an earlier send may have used.');
  if (decline) return { kind: 'declined', reference: null, decline };
  throw refusal(response.status, response.error);
}

/** Nothing is sent to confirm: the outcome is the charge's status. */
export async function confirmCharge(
  { reference, order }: { readonly reference: string; readonly order: ChargeOrder },
  psp: MollieContext,
): Promise<PspOutcome> {
  const purpose = { operation: 'confirm', paymentId: order.paymentId } as const;
  return chargeOutcome(ruleOf(order), await fetchPayment(reference, purpose, psp), purpose, psp);
}

const ENDED_STATUSES = new Set(['paid', 'canceled', 'expired', 'failed']);

/**
 * An authorization is released, which Mollie may do later. An open payment is canceled if its method allows that, as
 * few do. No idempotency key: it would return an earlier "not now".
 */
export async function cancelCharge(charge: ChargeRef, psp: MollieContext): Promise<PspOutcome> {
  const { reference, paymentId, manual = false } = charge;
  const purpose = { operation: 'cancel', paymentId } as const;
  const payment = await fetchPayment(reference, purpose, psp);
  if (manual && payment.status === 'paid') throw tooLate();
  if (ENDED_STATUSES.has(payment.status)) return toOutcome(payment, manual);
  if (payment.status === 'authorized') {
    await sendCancel({ ...purpose, method: 'POST', path: releasePath(reference) }, psp);
    return { kind: 'accepted', reference };
  }
  if (!payment.isCancelable) throw tooLate();
  const canceled = await sendCancel({ ...purpose, method: 'DELETE', path: paymentPath(reference) }, psp);
  return toOutcome(readPayment(canceled), manual);
}

/** A 422 means that it is too late to cancel. Anything else is our mistake. */
async function sendCancel(call: MollieCall, psp: MollieContext): Promise<unknown> {
  const response = await sendRequest(call, psp);
  if (response.ok) return response.body;
  throw response.status === 422 ? tooLate() : refusal(response.status, response.error);
}

const tooLate = (): PspRefused => new PspRefused('state', 'Mollie cannot cancel this payment.');
