import { applyPaymentEvent } from '#functions/psp-webhooks/apply-payment-event.usecase.ts';
import { applyRefundEvent } from '#functions/psp-webhooks/apply-refund-event.usecase.ts';
import { repeatedTarget, resolveWebhookTarget } from '#functions/psp-webhooks/resolve-webhook-target.ts';
import { type VerifiedWebhook, verifyWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type Deadline, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

type CallbackDeps = Pick<
  Deps,
  'payments' | 'psp' | 'clock' | 'log' | 'connections' | 'retryBudget' | 'vault' | 'pspDeadline' | 'rates' | 'config'
>;

const RECEIVED: RawResponse = { status: 200, body: '{"received":true}' };

/**
 * Receives a PSP's callback. The metadata or the charge's reference name the payment, the connection's secret verifies
 * the sender, and then the PSP is queried for the facts. A repeated callback changes nothing.
 */
export async function receiveCallback(request: RawRequest, deps: CallbackDeps): Promise<RawResponse> {
  const provider = providerOf(request, deps);
  const events = (await parseEvents(provider, request, deps)).filter(({ subject }) => subject.kind !== 'ignored');
  const deadline = deps.pspDeadline();
  const errors: AppError[] = [];
  for (const event of events) {
    try {
      if (await isRepeat(provider, request, event, deadline, deps)) continue;
      const target = await resolveWebhookTarget(provider, event, deps);
      await applyEvent(event, await verifyWebhook(request, event, target, deadline, deps), deps);
    } catch (error) {
      if (!isForeign(error)) throw error;
      errors.push(error);
    }
  }
  // One known event in a batch is enough: merchants also use their accounts without us.
  const [error] = errors;
  if (error && errors.length === events.length && !deps.psp.adapter(provider)?.unsignedCallbacks) throw error;
  return RECEIVED;
}

/** Signed, or from a provider that signs nothing, and about what we know. The signature is checked for all others later. */
async function isRepeat(
  provider: Provider,
  request: RawRequest,
  event: UnverifiedEvent,
  deadline: Deadline,
  deps: CallbackDeps,
): Promise<boolean> {
  const target = await repeatedTarget(provider, event, deps);
  if (!target) return false;
  try {
    await verifyWebhook(request, event, target, deadline, deps);
    return true;
  } catch (error) {
    if (isForeign(error)) return false;
    throw error;
  }
}

/** The event is about no known payment, or was not sent by its connection's provider. */
const isForeign = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'webhook_unroutable' || error.code === 'invalid_signature');

function providerOf({ params: { provider = '' } }: RawRequest, { psp }: CallbackDeps): Provider {
  if (!psp.adapter(provider)) throw new AppError('not_found', `No provider is named ${provider}.`);
  return provider;
}

async function parseEvents(
  provider: Provider,
  request: RawRequest,
  { psp }: CallbackDeps,
): Promise<readonly UnverifiedEvent[]> {
  try {
    return await psp.parseCallback(provider, request);
  } catch (error) {
    if (error instanceof PspRefused)
      throw new AppError('invalid_request', `The body is not a callback of ${provider}.`);
    throw error;
  }
}

async function applyEvent({ subject }: UnverifiedEvent, webhook: VerifiedWebhook, deps: CallbackDeps): Promise<void> {
  if (subject.kind === 'payment') await applyPaymentEvent(webhook, subject, deps);
  if (subject.kind === 'refund') await applyRefundEvent(webhook, subject, deps);
}
