import { applyPaymentCallback } from '#functions/psp-webhooks/apply-payment-callback.usecase.ts';
import { applyRefundCallback } from '#functions/psp-webhooks/apply-refund-callback.usecase.ts';
import type { Connection } from '#shared/domain/connection.model.ts';
import type { Payment } from '#shared/domain/payment.model.ts';
import { PROVIDERS, type Provider } from '#shared/domain/providers.catalog.ts';
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
  const provider = providerOf(request);
  const readings = readingsOf(provider, request, deps).filter((reading) => reading.subject.kind !== 'ignored');
  for (const reading of readings) {
    const { payment, connection } = await routed(provider, reading, deps);
    await verified(connection, request, deps);
    await apply(reading, payment, connection, deps);
  }
  return RECEIVED;
}

function providerOf({ params }: RawRequest): Provider {
  const provider = PROVIDERS.find((p) => p === params.provider);
  if (!provider) throw new AppError('not_found', 'There is no such provider.');
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
  const { org_id, connection_id, payment_id } = reading.routing;
  const complete = org_id !== undefined && connection_id !== undefined && payment_id !== undefined;
  const charged = await byReference(provider, reading, deps);
  const payment = complete ? await deps.payments.byId(payment_id) : charged;
  if (!payment && !complete) throw new AppError('webhook_unroutable', 'The event carries no org_id, connection_id and payment_id of ours.');
  const connectionId = connection_id ?? payment?.connection_id ?? '';
  const orgId = org_id ?? payment?.org_id ?? '';
  const connection = await deps.connections.get(orgId, connectionId);
  const fits = payment?.org_id === orgId && connection?.provider === provider && payment.attempts.some((a) => a.connection_id === connection.id);
  // A charge that we know as another payment's pays for no second one.
  if (!payment || !connection || !fits || (charged && charged.id !== payment.id)) throw wrongSignature();
  return { payment, connection };
}

/** Later events (captures, refunds) may come without metadata; the charge's reference is ours to know. */
function byReference(provider: Provider, { subject }: CallbackReading, { payments }: Deps): Promise<Payment | undefined> {
  const reference = subject.kind === 'refund' ? subject.paymentReference : subject.kind === 'payment' ? subject.reference : null;
  return reference === null ? Promise.resolve(undefined) : payments.byReference(provider, reference);
}

async function verified(connection: Connection, request: RawRequest, deps: Deps): Promise<void> {
  const session = await deps.psp.open(connection, deps.pspDeadline());
  if (!session.verifies(request)) throw wrongSignature();
}

const wrongSignature = (): AppError => new AppError('invalid_signature', 'The signature does not fit this event.');

async function apply({ subject }: CallbackReading, payment: Payment, connection: Connection, deps: Deps): Promise<void> {
  if (subject.kind === 'payment') await applyPaymentCallback(payment, connection, subject.reference, deps);
  if (subject.kind === 'refund') await applyRefundCallback(payment, connection, subject.reference, deps);
}
