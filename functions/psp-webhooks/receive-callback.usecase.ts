import { applyPaymentCallback } from '#functions/psp-webhooks/apply-payment-callback.usecase.ts';
import { applyRefundCallback } from '#functions/psp-webhooks/apply-refund-callback.usecase.ts';
import { proveCallback } from '#functions/psp-webhooks/prove-callback.ts';
import { routed } from '#functions/psp-webhooks/routed.ts';
import type { VerifiedCallback } from '#functions/psp-webhooks/verified-callback.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type CallbackReading, PspRefused } from '#shared/ports/psp.port.ts';

const RECEIVED: RawReply = { status: 200, body: '{"received":true}' };

/**
 * Receives a PSP's callback. The metadata or the reference name the payment; the connection's secret proves the sender;
 * then the PSP is asked for the facts. A repeated callback changes nothing.
 */
export async function receiveCallback(request: RawRequest, deps: Deps): Promise<RawReply> {
  const provider = providerOf(request, deps);
  const readings = readingsOf(provider, request, deps).filter((reading) => reading.subject.kind !== 'ignored');
  const deadline = deps.pspDeadline();
  const refusals: AppError[] = [];
  for (const reading of readings) {
    try {
      const { payment, connection } = await routed(provider, reading, deps);
      await apply(reading, await proveCallback(request, reading, { payment, connection, deadline }, deps), deps);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
  }
  // Of a batch every routable item counts; merchants also use their accounts without us.
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

async function apply({ subject }: CallbackReading, verified: VerifiedCallback, deps: Deps): Promise<void> {
  if (subject.kind === 'payment') await applyPaymentCallback(verified, subject, deps);
  if (subject.kind === 'refund') await applyRefundCallback(verified, subject, deps);
}
