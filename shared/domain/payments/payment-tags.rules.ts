import { addStepMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { Metadata, Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

const MAX_KEYS = 50;

/**
 * The payment with more metadata. Undefined if the step of this marker has added it already: another step may have
 * changed it since. The marker is stored even if nothing changes.
 */
export const tagOnce = (payment: Payment, tags: Metadata, marker: string, at: Date): Payment | undefined =>
  hasMarker(payment, marker) ? undefined : addStepMarker(tagged(payment, tags, at), marker, at);

/** Adds metadata. Events that are not relayed yet keep the metadata that the payment had when they happened. */
function tagged(payment: Payment, tags: Metadata, at: Date): Payment {
  if (Object.entries(tags).every(([name, value]) => payment.metadata[name] === value)) return payment;
  const metadata = { ...payment.metadata, ...tags };
  if (Object.keys(metadata).length > MAX_KEYS)
    throw new AppError('invalid_request', `The payment's metadata would have more than ${MAX_KEYS} keys.`);
  const outbox = payment.outbox.map((stub) => ({ ...stub, was: { metadata: payment.metadata, ...stub.was } }));
  return { ...payment, metadata, outbox, updated_at: at.toISOString() };
}
