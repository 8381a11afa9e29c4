import { applyCaptureEvent } from '#functions/psp-webhooks/apply-capture-event.usecase.ts';
import { applyDisputeEvent } from '#functions/psp-webhooks/apply-dispute-event.usecase.ts';
import { applyPaymentEvent } from '#functions/psp-webhooks/apply-payment-event.usecase.ts';
import { applyRefundEvent, withPaidCharge } from '#functions/psp-webhooks/apply-refund-event.usecase.ts';
import { ownerOfCharge } from '#functions/psp-webhooks/foreign-charges.ts';
import { countForeign, isProved, verifySender, type WebhookSender } from '#functions/psp-webhooks/foreign-events.ts';
import { repeatedTarget, resolveWebhookTarget } from '#functions/psp-webhooks/resolve-webhook-target.ts';
import { type VerifiedWebhook, verifyWebhook } from '#functions/psp-webhooks/verify-webhook.ts';
import { type AddressedConnection, readAddress } from '#shared/domain/routing/callback-address.rules.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { noteCause } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { DisputeEvent } from '#shared/ports/dispute.port.ts';
import { type Deadline, PspRefused, type UnverifiedEvent } from '#shared/ports/psp.port.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { startDisputePolling } from '#shared/services/disputes/poll-disputes.service.ts';

type CallbackDeps = Pick<
  Deps,
  | 'payments'
  | 'paymentMethods'
  | 'disputes'
  | 'disputePolls'
  | 'psp'
  | 'clock'
  | 'log'
  | 'connections'
  | 'retryBudget'
  | 'vault'
  | 'pspDeadline'
  | 'rates'
  | 'config'
>;

const RECEIVED: RawResponse = { status: 200, body: '{"received":true}' };

/**
 * Receives a PSP's callback. The metadata or the charge's reference name the payment, the connection's secret verifies
 * the sender, and then the PSP is queried for the facts. A repeated callback changes nothing.
 */
export async function receiveCallback(request: RawRequest, deps: CallbackDeps): Promise<RawResponse> {
  noteCause('provider');
  const provider = providerOf(request, deps);
  const address = readAddress(request.query);
  const received: Received = { provider, request, deadline: deps.pspDeadline() };
  if (address) return receiveAtConnection(received, address, deps);
  const events = (await parseEvents(received, deps)).filter(isUsed);
  const refused = await applyEvents(received, events, deps);
  // One known event in a batch is enough: merchants also use their accounts without us.
  const [first] = refused;
  if (first && refused.length === events.length && !deps.psp.adapter(provider)?.unsignedCallbacks) throw first.error;
  return RECEIVED;
}

type Received = { readonly provider: Provider; readonly request: RawRequest; readonly deadline: Deadline };

/**
 * The address names a connection, so its secret can verify also what is about no payment of ours. Such an event is
 * accepted: otherwise the PSP repeats it, and in the end sends none any more. Events of our payments are verified and
 * applied as at any other address.
 */
async function receiveAtConnection(
  received: Received,
  address: AddressedConnection,
  deps: CallbackDeps,
): Promise<RawResponse> {
  const { provider, request, deadline } = received;
  const used = (await parseEvents(received, deps)).filter(isUsed);
  const refused = await applyEvents(received, used, deps, address);
  for (const { event, error } of refused) if (await namesOurs(event, error, deps)) throw error;
  const isOurs = used.length > refused.length;
  if (!isOurs || refused.length > 0) {
    const verifying = verifySender({ callback: request, provider, address }, deadline, deps);
    const sender = await (isOurs ? verifying.catch(undefinedIfForeign) : verifying);
    if (sender) await acceptForeign(received, sender, refused, deps);
    else throwIfLost(refused);
  }
  const body = deps.psp.adapter(provider)?.callbackReply;
  return body === undefined ? RECEIVED : { status: 200, headers: { 'content-type': 'text/plain' }, body };
}

/** Of an event whose signature is wrong. A payment is stored before its PSP hears of it. */
async function namesOurs(event: UnverifiedEvent, { code }: AppError, { payments }: CallbackDeps): Promise<boolean> {
  const named = event.routing.payment_id;
  return code === 'invalid_signature' && (named === undefined || (await payments.byId(named)) !== undefined);
}

/** Only the sender is proved, so foreign events are counted, and nothing else changes. */
async function acceptForeign(
  received: Received,
  sender: WebhookSender,
  refused: readonly Refused[],
  deps: CallbackDeps,
): Promise<void> {
  if (refused.length === 0 || !isProved(sender, received.request)) return;
  const ours: UnverifiedEvent[] = [];
  for (const { event, error } of refused) {
    const owner = await ownerOfCharge(event, sender, deps);
    if (owner.kind === 'unsure') throw error;
    if (owner.kind === 'ours') ours.push(owner.event);
  }
  const [unapplied] = await applyEvents(received, ours, deps);
  if (unapplied) throw unapplied.error;
  const count = refused.length - ours.length;
  if (count > 0) await countForeign(sender.connection, count, deps);
}

/** Of a batch with events of ours. What names only a charge may be ours too, and nobody asks for it later. */
function throwIfLost(refused: readonly Refused[]): void {
  const lost = refused.find(({ event: { subject } }) => subject.kind === 'refund' || subject.kind === 'dispute');
  if (lost) throw lost.error;
}

const isUsed = ({ subject }: UnverifiedEvent): boolean => subject.kind !== 'ignored';

type Refused = { readonly event: UnverifiedEvent; readonly error: AppError };

/** Returns those that are about no known payment. */
async function applyEvents(
  { provider, request, deadline }: Received,
  events: readonly UnverifiedEvent[],
  deps: CallbackDeps,
  address?: AddressedConnection,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  for (const event of events) {
    try {
      if (await isRepeat(provider, request, event, deadline, deps)) continue;
      const target = await resolveWebhookTarget(provider, event, deps, address);
      await applyEvent(event, await verifyWebhook(request, event, target, deadline, deps), deps);
    } catch (error) {
      refused.push({ event, error: throwUnlessForeign(error) });
    }
  }
  return refused;
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
    const { connection } = await verifyWebhook(request, event, target, deadline, deps);
    await startDisputePolling(connection, deps);
    return true;
  } catch (error) {
    if (isForeign(error)) return false;
    throw error;
  }
}

/** The event is about no known payment, or was not sent by its connection's provider. */
const isForeign = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'webhook_unroutable' || error.code === 'invalid_signature');

function undefinedIfForeign(error: unknown): undefined {
  if (!isForeign(error)) throw error;
}

function throwUnlessForeign(error: unknown): AppError {
  if (isForeign(error)) return error;
  throw error;
}

function providerOf({ params: { provider = '' } }: RawRequest, { psp }: CallbackDeps): Provider {
  if (!psp.adapter(provider)) throw new AppError('not_found', `No provider is named ${provider}.`);
  return provider;
}

async function parseEvents(
  { provider, request }: Received,
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
  if (subject.kind === 'capture') await applyCaptureEvent(webhook, subject, deps);
  if (subject.kind === 'dispute') await applyDisputeEvent(await ofPaidCharge(webhook, subject, deps), subject, deps);
  await startDisputePolling(webhook.connection, deps);
}

/** The payment of a charge that cannot be looked up now is looked up by the timer. Its dispute is recorded meanwhile. */
async function ofPaidCharge(
  webhook: VerifiedWebhook,
  { reference, paymentReference }: DisputeEvent,
  deps: CallbackDeps,
): Promise<VerifiedWebhook> {
  const named = { reference: reference ?? '', paymentReference };
  const payment = await withPaidCharge(webhook, named, deps).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'provider_error') return webhook.payment;
    throw error;
  });
  return { ...webhook, payment };
}
