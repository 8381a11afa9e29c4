import { NETWORK_REPORT } from '#shared/domain/payments/network-report.model.ts';
import type { Attempt, EventStub, Failure, Payment } from '#shared/domain/payments/payment.model.ts';
import type { ConnectionWorkflow } from '#shared/domain/reference/events.catalog.ts';

/** The event's `data`: the payment at that moment. */
export function snapshot(payment: Payment, stub: EventStub): Readonly<Record<string, unknown>> {
  const { id, amount, currency, customer_id, payment_link_id, invoice_id, payment_method_id } = payment;
  const { status, provider, failure, amount_refunded, refund, capture, metadata = payment.metadata } = stub.was;
  return {
    id,
    amount,
    currency,
    status,
    provider,
    customer_id,
    metadata,
    ...(payment_link_id && { payment_link_id }),
    ...(invoice_id && { invoice_id }),
    // What it saves is not known when it is created.
    ...(payment_method_id && stub.type !== 'payment.created' && { payment_method_id }),
    ...(payment.capture && manualFields(payment, stub)),
    ...(REPORTED.has(stub.type) && reportedAttempt(payment, stub)),
    ...(capture !== undefined && { capture: captureAt(payment, capture) }),
    ...(stub.type === 'payment.failed' && { failure: publicFailure(failure) }),
    ...(stub.type === 'payment.refunded' && { amount_refunded, refund: refundAt(payment, refund) }),
  };
}

/** The outcomes of an attempt. */
const REPORTED: ReadonlySet<string> = new Set(['payment.succeeded', 'payment.authorized', 'payment.failed']);

/** What the network said of the attempt that the event is about; nothing if its provider told nothing. */
function reportedAttempt(payment: Payment, stub: EventStub): Readonly<Record<string, unknown>> {
  const attempt = attemptAt(payment, stub);
  if (!attempt || (stub.type === 'payment.failed' && attempt.status !== 'failed')) return {};
  const report = NETWORK_REPORT.flatMap((name) => (attempt[name] === undefined ? [] : [[name, attempt[name]]]));
  return report.length === 0 ? {} : { attempt: { id: attempt.id, ...Object.fromEntries(report) } };
}

/** Only on payments that are captured later. */
function manualFields({ partially_approved }: Payment, { type, was }: EventStub): Readonly<Record<string, unknown>> {
  const { authorized_amount, captured_amount, released_amount, capturable_until } = was;
  const amounts = { authorized_amount, captured_amount, released_amount, capturable_until };
  return partially_approved && type !== 'payment.created' ? { ...amounts, partially_approved } : amounts;
}

/**
 * The capture as the API returns it, at that moment. One without an id was made by the PSP itself, of a payment that is
 * captured at once, and is stored nowhere.
 */
function captureAt({ captures = [] }: Payment, was: unknown): unknown {
  const then = typeof was === 'object' && was !== null && 'id' in was ? was : undefined;
  const stored = captures.find(({ id }) => id === then?.id);
  if (!stored) return was;
  const { id, amount, status, failure, final, attempt_id, psp_reference, created_at } = { ...stored, ...then };
  return { id, amount, status, failure: publicFailure(failure), final, attempt_id, psp_reference, created_at };
}

function publicFailure(failure: unknown): unknown {
  if (typeof failure !== 'object' || failure === null) return failure;
  const { needs_other_method: _, asks_new_method: __, ...shown }: Partial<Failure> = failure;
  return shown;
}

/**
 * The refund as the API returns it, at that moment. Fields that never change, such as metadata, are not copied into the
 * stub.
 */
function refundAt({ refunds }: Payment, was: unknown): Readonly<Record<string, unknown>> | undefined {
  const then = typeof was === 'object' && was !== null && 'id' in was ? was : undefined;
  const refund = refunds.find(({ id }) => id === then?.id);
  if (!refund) return undefined;
  const { id, amount, status, reason, failure, metadata, attempt_id, psp_reference, created_at } = {
    ...refund,
    ...then,
  };
  return { id, amount, status, reason, failure, metadata, attempt_id, psp_reference, created_at };
}

/**
 * The workflow of the connection that the payment used at that moment, if any. A failed payment may have gone elsewhere
 * since; the relay may run late or twice, and gets the same result.
 */
export function workflowAt(payment: Payment, stub: EventStub): ConnectionWorkflow | undefined {
  const { connection_id, workflow_id } = attemptAt(payment, stub) ?? {};
  return connection_id !== undefined && workflow_id !== undefined ? { connection_id, workflow_id } : undefined;
}

function attemptAt({ attempts, connection_id, intent }: Payment, { type, at }: EventStub): Attempt | undefined {
  if (type === 'payment.created') return intent ? undefined : attempts[0];
  if (type === 'payment.failed') return attempts.findLast(({ started_at }) => started_at <= at);
  return attempts.findLast((attempt) => attempt.connection_id === connection_id);
}
