import { addStepMarker, hasMarker } from '#shared/domain/payments/idempotency-markers.rules.ts';
import type { Metadata, Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';

const MAX_KEYS = 50;

/**
 * The payment with more metadata; undefined where this act has added it already, as another act may have changed it
 * since. The act is noted even if nothing changes.
 */
export const tagOnce = (payment: Payment, tags: Metadata, act: string, at: Date): Payment | undefined =>
  hasMarker(payment, act) ? undefined : addStepMarker(tagged(payment, tags, at), act, at);

/** What is yet to be announced shows what there was then. */
function tagged(payment: Payment, tags: Metadata, at: Date): Payment {
  if (Object.entries(tags).every(([name, value]) => payment.metadata[name] === value)) return payment;
  const metadata = { ...payment.metadata, ...tags };
  if (Object.keys(metadata).length > MAX_KEYS)
    throw new AppError('invalid_request', `The payment's metadata would have more than ${MAX_KEYS} keys.`);
  const outbox = payment.outbox.map((stub) => ({ ...stub, was: { metadata: payment.metadata, ...stub.was } }));
  return { ...payment, metadata, outbox, updated_at: at.toISOString() };
}
