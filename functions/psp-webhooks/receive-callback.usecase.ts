import { applyPaymentCallback } from '#functions/psp-webhooks/apply-payment-callback.usecase.ts';
import { applyRefundCallback } from '#functions/psp-webhooks/apply-refund-callback.usecase.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import type { Provider } from '#shared/domain/provider.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type CallbackReading, PspRefused } from '#shared/ports/psp.port.ts';

const RECEIVED: RawReply = { status: 200, body: '{"received":true}' };

/**
 * A PSP tells us something. Whose it is stands in its metadata or follows from its reference; that connection's secret
 * proves who speaks; the PSP itself is then asked for the truth. Saying the same twice changes nothing.
 */
export async function receiveCallback(request: RawRequest, deps: Deps): Promise<RawReply> {
  const provider = providerOf(request, deps);
  const readings = readingsOf(provider, request, deps).filter((reading) => reading.subject.kind !== 'ignored');
  const deadline = deps.pspDeadline();
  const refusals: AppError[] = [];
  for (const reading of readings) {
    try {
      const { payment, connection } = await routed(provider, reading, deps);
      const session = await deps.psp.open(connection, deadline);
      if (!(await session.verifies(request))) throw wrongSignature();
      await apply(reading, { payment, connection, session, deadline }, deps);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
  }
  // Of a batch, what can be routed counts; merchants use their accounts beside us, too.
  const [refusal] = refusals;
  if (refusal && refusals.length === readings.length && !deps.psp.adapter(provider)?.unsignedCallbacks) throw refusal;
  return RECEIVED;
}

const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'webhook_unroutable' || error.code === 'invalid_signature');

function providerOf({ params: { provider = '' } }: RawRequest, { psp }: Deps): Provider {
  if (!psp.adapter(provider)) throw new AppError('not_found', 'There is no such provider.');
  return provider;
}

function readingsOf(provider: Provider, request: RawRequest, { psp }: Deps): readonly CallbackReading[] {
  try {
    return psp.readings(provider, request);
  } catch (error) {
    if (error instanceof PspRefused) throw new AppError('invalid_request', 'This is not a callback of this provider.');
    throw error;
  }
}

type Routed = { readonly payment: Payment; readonly connection: Connection };

/** Nothing here is believed yet: it only says whose secret to check. The unknown reads like a wrong signature. */
async function routed(provider: Provider, reading: CallbackReading, deps: Deps): Promise<Routed> {
  const { payment, connection } = (await byMetadata(reading, deps)) ?? (await byCharge(provider, reading, deps));
  const isThere = connection?.provider === provider && payment?.org_id === connection.org_id;
  const fits = isThere && payment.attempts.some((a) => a.connection_id === connection.id) && isItsOwn(reading, payment);
  if (!payment || !connection || !fits || (await isAnothers(provider, reading, payment, deps))) throw wrongSignature();
  return { payment, connection };
}

/** Metadata may lie outside a signature; an attempt's id that stands within must be one of this payment's. */
const isItsOwn = ({ subject }: CallbackReading, payment: Payment): boolean =>
  subject.kind !== 'payment' || subject.ours === undefined || payment.attempts.some((a) => a.id === subject.ours);

type Named = { readonly payment: Payment | undefined; readonly connection: Connection | undefined };

async function byMetadata(reading: CallbackReading, deps: Deps): Promise<Named | undefined> {
  const { org_id, connection_id, payment_id } = reading.routing;
  if (payment_id === undefined) return undefined;
  if (org_id === undefined || connection_id === undefined) return byPaymentAlone(payment_id, reading, deps);
  const [payment, connection] = await Promise.all([deps.payments.byId(payment_id), deps.connections.get(org_id, connection_id)]);
  return { payment, connection };
}

/** Where our reference on a later event names the payment and what was done to it, that says at which connection. */
async function byPaymentAlone(paymentId: string, { subject }: CallbackReading, deps: Deps): Promise<Named | undefined> {
  const payment = await deps.payments.byId(paymentId);
  const ours = 'ours' in subject ? subject.ours : undefined;
  const refund = payment?.refunds.find(({ id }) => id === ours);
  const attempt = payment?.attempts.find(
    ({ id, psp_reference }) => id === (refund?.attempt_id ?? ours) || (psp_reference !== null && psp_reference === chargeIn({ subject })),
  );
  return payment && attempt ? { payment, connection: await deps.connections.get(payment.org_id, attempt.connection_id) } : undefined;
}

/** Later events (captures, refunds) may come without metadata; the charge's reference is ours to know. */
async function byCharge(provider: Provider, reading: CallbackReading, deps: Deps): Promise<Named> {
  const reference = chargeIn(reading);
  const payment = reference === null ? undefined : await deps.payments.byReference(provider, reference);
  if (!payment) throw new AppError('webhook_unroutable', 'The event carries no org_id, connection_id and payment_id of ours.');
  const attempt = payment.attempts.find((a) => a.psp_reference === reference);
  return { payment, connection: attempt && (await deps.connections.get(payment.org_id, attempt.connection_id)) };
}

/** A charge that we know as another payment's pays for no second one. */
async function isAnothers(provider: Provider, reading: CallbackReading, payment: Payment, { payments }: Deps): Promise<boolean> {
  const reference = chargeIn(reading);
  if (reference === null || payment.attempts.some((a) => a.psp_reference === reference)) return false;
  const charged = await payments.byReference(provider, reference);
  return charged !== undefined && charged.id !== payment.id;
}

const chargeIn = ({ subject }: Pick<CallbackReading, 'subject'>): string | null =>
  subject.kind === 'refund' ? subject.paymentReference : subject.kind === 'payment' ? subject.reference : null;

const wrongSignature = (): AppError => new AppError('invalid_signature', 'The signature does not fit this event.');

async function apply({ subject }: CallbackReading, verified: VerifiedCallback, deps: Deps): Promise<void> {
  if (subject.kind === 'payment') await applyPaymentCallback(verified, subject, deps);
  if (subject.kind === 'refund') await applyRefundCallback(verified, subject, deps);
}
