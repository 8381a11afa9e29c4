import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { CallbackReading } from '#shared/ports/psp.port.ts';

type Routed = { readonly payment: Payment; readonly connection: Connection };

/**
 * Nothing here is verified yet: it only picks the secret to check with. Unknown ids are answered like a wrong
 * signature.
 */
export async function routed(provider: Provider, reading: CallbackReading, deps: Deps): Promise<Routed> {
  const { payment, connection } = (await byMetadata(reading, deps)) ?? (await byCharge(provider, reading, deps));
  const isThere = connection?.provider === provider && payment?.org_id === connection.org_id;
  const fits = isThere && payment.attempts.some((a) => a.connection_id === connection.id) && isItsOwn(reading, payment);
  if (!payment || !connection || !fits || (await isAnothers(provider, reading, payment, deps))) throw wrongSignature();
  return { payment, connection };
}

/** Metadata may be outside the signature; an attempt's id that is inside must belong to this payment. */
const isItsOwn = ({ subject }: CallbackReading, payment: Payment): boolean =>
  subject.kind !== 'payment' || subject.ours === undefined || payment.attempts.some((a) => a.id === subject.ours);

type Named = { readonly payment: Payment | undefined; readonly connection: Connection | undefined };

async function byMetadata(reading: CallbackReading, deps: Deps): Promise<Named | undefined> {
  const { org_id, connection_id, payment_id } = reading.routing;
  if (payment_id === undefined) return undefined;
  if (org_id === undefined || connection_id === undefined) return byPaymentAlone(payment_id, reading, deps);
  const [payment, connection] = await Promise.all([
    deps.payments.byId(payment_id),
    deps.connections.get(org_id, connection_id),
  ]);
  return { payment, connection };
}

/** On a later event our own reference names the payment and what was done to it, and thereby the connection. */
async function byPaymentAlone(paymentId: string, { subject }: CallbackReading, deps: Deps): Promise<Named | undefined> {
  const payment = await deps.payments.byId(paymentId);
  const ours = 'ours' in subject ? subject.ours : undefined;
  const refund = payment?.refunds.find(({ id }) => id === ours);
  const attempt = payment?.attempts.find(
    ({ id, psp_reference }) =>
      id === (refund?.attempt_id ?? ours) || (psp_reference !== null && psp_reference === chargeIn({ subject })),
  );
  return payment && attempt
    ? { payment, connection: await deps.connections.get(payment.org_id, attempt.connection_id) }
    : undefined;
}

/** Later events (captures, refunds) may carry no metadata; they are found by the charge's stored reference. */
async function byCharge(provider: Provider, reading: CallbackReading, deps: Deps): Promise<Named> {
  const reference = chargeIn(reading);
  const payment = reference === null ? undefined : await deps.payments.byReference(provider, reference);
  if (!payment)
    throw new AppError('webhook_unroutable', 'The event carries no org_id, connection_id and payment_id of ours.');
  const attempt = payment.attempts.find((a) => a.psp_reference === reference);
  return { payment, connection: attempt && (await deps.connections.get(payment.org_id, attempt.connection_id)) };
}

/**
 * A charge that is known as another payment's pays for no second one. Claims of another organization are ignored here.
 */
async function isAnothers(
  provider: Provider,
  reading: CallbackReading,
  payment: Payment,
  { payments }: Deps,
): Promise<boolean> {
  const reference = chargeIn(reading);
  if (reference === null || payment.attempts.some((a) => a.psp_reference === reference)) return false;
  const charged = await payments.byReference(provider, reference);
  return charged !== undefined && charged.org_id === payment.org_id && charged.id !== payment.id;
}

const chargeIn = ({ subject }: Pick<CallbackReading, 'subject'>): string | null =>
  subject.kind === 'refund' ? subject.paymentReference : subject.kind === 'payment' ? subject.reference : null;

export const wrongSignature = (): AppError =>
  new AppError('invalid_signature', 'The signature does not fit this event.');
