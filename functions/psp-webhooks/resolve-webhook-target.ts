import { withReport } from '#shared/domain/payments/attempt.machine.ts';
import { chargeOf } from '#shared/domain/payments/capture.rules.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import type { AddressedConnection } from '#shared/domain/routing/callback-address.rules.ts';
import type { Connection, Provider } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { PaymentEvent, UnverifiedEvent } from '#shared/ports/psp.port.ts';

type TargetDeps = Pick<Deps, 'payments' | 'connections' | 'disputes' | 'psp'>;

/** The payment that an event is about, and the connection that sent it. */
export type WebhookTarget = { readonly payment: Payment; readonly connection: Connection };

/**
 * Finds whose secret to check the signature with; nothing here is verified yet. Unknown ids get the same response as a
 * wrong signature, so that nobody can search for ids.
 */
export async function resolveWebhookTarget(
  provider: Provider,
  event: UnverifiedEvent,
  deps: TargetDeps,
  address?: AddressedConnection,
): Promise<WebhookTarget> {
  const { payment, connection } = (await byMetadata(event, deps)) ?? (await byCharge(provider, event, deps, address));
  const isSameOwner = connection?.provider === provider && payment?.org_id === connection.org_id;
  if (!payment || !connection || !isSameOwner) throw invalidSignature();
  const fits = payment.attempts.some((a) => a.connection_id === connection.id) && hasItsAttempt(event, payment);
  if (!fits || (await belongsToOther(provider, event, payment, deps))) throw invalidSignature();
  return { payment, connection };
}

/**
 * The target of an event that only repeats what the payment shows already, and a success is never undone. Most callbacks
 * are such: they arrive after the response to our own call. What was read may be a moment old, so it serves for nothing
 * else. Undefined if there may be something to do.
 */
export async function repeatedTarget(
  provider: Provider,
  { subject, routing }: UnverifiedEvent,
  deps: TargetDeps,
): Promise<WebhookTarget | undefined> {
  if (subject.kind !== 'payment' || subject.includesRefunds || routing.payment_id === undefined) return undefined;
  const payment = await deps.payments.recent(routing.payment_id);
  const attempt = payment?.attempts.find((a) => a.psp_reference === subject.reference && a.status === 'succeeded');
  if (
    !payment ||
    !attempt ||
    payment.status !== 'succeeded' ||
    payment.capture ||
    payment.refunds.length > 0 ||
    payment.refund_pages ||
    completesReport(attempt, subject) ||
    (payment.save && payment.payment_method_id === undefined && subject.reported?.saved)
  )
    return undefined;
  const isNamed = [
    [routing.org_id, payment.org_id],
    [routing.connection_id, attempt.connection_id],
    [subject.ourId, attempt.id],
  ].every(([named, own]) => named === undefined || named === own);
  const connection = isNamed ? await deps.connections.recent(payment.org_id, attempt.connection_id) : undefined;
  return connection?.provider === provider ? { payment, connection } : undefined;
}

/** Whether the event says something new of what the network has reported of a paid charge. */
export function completesReport(attempt: Attempt, { reported }: PaymentEvent): boolean {
  const report = reported?.kind === 'declined' ? undefined : reported?.network;
  return report !== undefined && withReport(attempt, report) !== attempt;
}

/** Metadata may be unsigned. If the event also has an attempt's id, that must be one of this payment's. */
const hasItsAttempt = ({ subject }: UnverifiedEvent, payment: Payment): boolean =>
  subject.kind !== 'payment' || subject.ourId === undefined || payment.attempts.some((a) => a.id === subject.ourId);

type Candidate = { readonly payment: Payment | undefined; readonly connection: Connection | undefined };

async function byMetadata(event: UnverifiedEvent, deps: TargetDeps): Promise<Candidate | undefined> {
  const { org_id, connection_id, payment_id } = event.routing;
  if (payment_id === undefined) return undefined;
  if (org_id === undefined || connection_id === undefined) return byPaymentId(payment_id, event, deps);
  const [payment, connection] = await Promise.all([
    deps.payments.byId(payment_id),
    deps.connections.get(org_id, connection_id),
  ]);
  return { payment, connection };
}

/** Later events may carry only the payment's id. The attempt or refund that they name leads to the connection. */
async function byPaymentId(
  paymentId: string,
  { subject }: UnverifiedEvent,
  deps: TargetDeps,
): Promise<Candidate | undefined> {
  const payment = await deps.payments.byId(paymentId);
  const ourId = 'ourId' in subject ? subject.ourId : undefined;
  const transfer = [...(payment?.refunds ?? []), ...(payment?.captures ?? [])].find(({ id }) => id === ourId);
  const attempt =
    payment?.attempts.find(({ id }) => id === (transfer?.attempt_id ?? ourId)) ??
    (payment && chargeOf(payment, chargeReference({ subject })));
  return payment && attempt
    ? { payment, connection: await deps.connections.get(payment.org_id, attempt.connection_id) }
    : undefined;
}

/**
 * Events may carry no metadata: later ones (captures, refunds), and all those of some accounts. They are found by the
 * stored reference of the charge, or of a capture.
 */
async function byCharge(
  provider: Provider,
  event: UnverifiedEvent,
  deps: TargetDeps,
  address: AddressedConnection | undefined,
): Promise<Candidate> {
  for (const reference of storedReferences(provider, event, deps)) {
    const payment = await deps.payments.byReference(provider, reference);
    if (!payment) continue;
    const attempt = chargeOf(payment, reference);
    return { payment, connection: attempt && (await deps.connections.get(payment.org_id, attempt.connection_id)) };
  }
  const ofDispute = await byDispute(provider, event, deps, address);
  if (ofDispute) return ofDispute;
  throw new AppError(
    'webhook_unroutable',
    'This event belongs to no known payment: it has no org_id, connection_id and payment_id in its metadata.',
  );
}

/** Later events of a dispute may name nothing but the dispute. Its reference is unique at the account of a connection. */
async function byDispute(
  provider: Provider,
  { subject }: UnverifiedEvent,
  { disputes, payments, connections }: TargetDeps,
  address: AddressedConnection | undefined,
): Promise<Candidate | undefined> {
  if (subject.kind !== 'dispute' || subject.reference === null || subject.paymentReference !== null) return undefined;
  const { reference } = subject;
  const dispute = await (address
    ? disputes.byReference(address, reference)
    : disputes.byPspReference(provider, reference));
  if (!dispute) return undefined;
  const [payment, connection] = await Promise.all([
    payments.byId(dispute.payment_id),
    connections.get(dispute.org_id, dispute.connection_id),
  ]);
  return { payment, connection };
}

function storedReferences(provider: Provider, { subject }: UnverifiedEvent, { psp }: TargetDeps): readonly string[] {
  const reference = chargeReference({ subject });
  const ourId = subject.kind === 'payment' ? subject.ourId : undefined;
  const early = ourId === undefined ? undefined : psp.adapter(provider)?.earlyReferences?.(ourId);
  return [...(reference === null ? [] : [reference]), ...(early ?? [])];
}

/**
 * A charge that is known as another payment's cannot pay for this one. Charges of other organizations do not count: one
 * organization's claim must not block another's events.
 */
async function belongsToOther(
  provider: Provider,
  event: UnverifiedEvent,
  payment: Payment,
  { payments }: TargetDeps,
): Promise<boolean> {
  const reference = chargeReference(event);
  if (reference === null || chargeOf(payment, reference)) return false;
  const owner = await payments.byReference(provider, reference);
  return owner !== undefined && owner.org_id === payment.org_id && owner.id !== payment.id;
}

function chargeReference({ subject }: Pick<UnverifiedEvent, 'subject'>): string | null {
  if (subject.kind === 'payment') return subject.reference;
  return subject.kind === 'ignored' ? null : subject.paymentReference;
}

export const invalidSignature = (): AppError =>
  new AppError('invalid_signature', 'The signature of this event is not valid for its connection.');
