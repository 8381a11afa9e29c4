import { declineOf } from '#shared/domain/payments/declines.catalog.ts';
import { DAY, plus } from '#shared/kernel/clock.ts';
import type { CaptureOrder, CaptureOutcome } from '#shared/ports/capture.port.ts';
import { PspOutcomeUnknown, PspRefused } from '#shared/ports/psp.port.ts';
import {
  type AdyenContext,
  acceptedReference,
  modificationPath,
  modificationRefusal,
  sendRequest,
} from '#shared/psp/adyen/client.ts';
import { captureParams, isLink } from '#shared/psp/adyen/requests.rules.ts';

/** A key lives at least 7 days. Under a key that has expired, a repeat would be a second capture. */
const REPEATABLE_MS = 3 * DAY;

/** Adyen accepts every capture of a payment that it knows, and reports the result by a notification. */
export async function captureCharge(order: CaptureOrder, psp: AdyenContext): Promise<CaptureOutcome> {
  if (isLink(order.reference)) throw new PspRefused('state', 'A payment link itself has no payment to capture.');
  if (order.isRepeat && order.sentAt !== undefined && plus(order.sentAt, REPEATABLE_MS) < psp.now())
    throw new PspOutcomeUnknown('Adyen has no look-up of captures; a notification reports them.');
  const response = await sendRequest(
    {
      operation: 'capture',
      paymentId: order.paymentId,
      path: modificationPath(order.reference, 'captures'),
      params: captureParams(order, psp.credentials),
      idempotencyKey: order.captureId,
    },
    psp,
  );
  if (response.ok) return { kind: 'accepted', reference: acceptedReference(response) };
  const refused = modificationRefusal(response);
  // The first send may have been taken: then a refused repeat is no verdict on it.
  if (refused.kind !== 'state' || order.isRepeat) throw refused;
  return { kind: 'failed', reference: null, decline: declineOf('capture_declined', response.code) };
}
