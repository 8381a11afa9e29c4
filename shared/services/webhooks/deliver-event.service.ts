import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isAttemptedSince, RESEND_AFTER } from '#shared/domain/webhooks/bulk-replay.rules.ts';
import {
  isDeliverable,
  isGone,
  isOverdue,
  LOST_AFTER,
  payloadOf,
  RESPONSE_WINDOW,
} from '#shared/domain/webhooks/delivery.rules.ts';
import { type DeliveryLane, laneOf } from '#shared/domain/webhooks/delivery-lane.rules.ts';
import { MAX_DELAY_SECONDS, MAX_RECEIVES } from '#shared/domain/webhooks/queue-message.rules.ts';
import type { WebhookConfig } from '#shared/domain/webhooks/webhook-config.model.ts';
import { validPreviousSecrets } from '#shared/domain/webhooks/webhook-config.rules.ts';
import { isReplayable } from '#shared/domain/webhooks/webhook-health.rules.ts';
import { signedHeaders, signingSecretContext } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import { inTrace } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type DeliveryMessage, WebhookMessage } from '#shared/services/webhooks/delivery-message.schema.ts';
import { notifyDisabled } from '#shared/services/webhooks/notify-disabled.service.ts';
import { recordAttempt } from '#shared/services/webhooks/record-attempt.service.ts';
import { recordWebhookHealth } from '#shared/services/webhooks/record-webhook-health.service.ts';
import { replayFailedPage } from '#shared/services/webhooks/replay-failed-events.service.ts';

type Needs = Pick<
  Deps,
  'events' | 'webhookConfigs' | 'members' | 'vault' | 'webhookHttp' | 'queue' | 'mail' | 'config' | 'clock' | 'log'
>;

/**
 * One attempt to deliver one event. If it throws, the queue delivers the message again with a higher receive count. A
 * message in the fast lane for an endpoint that is known to be dead moves to the slow lane. There it is attempted
 * whatever the endpoint's health is by then.
 */
export async function deliverEvent(
  body: Readonly<Record<string, unknown>>,
  deps: Needs,
  receiveCount = 1,
  by: DeliveryLane = 'webhook-delivery',
): Promise<void> {
  const message = WebhookMessage.parse(body);
  if ('replay_failed' in message) return replayFailedPage(message, deps);
  if ('turned_off' in message) return notifyDisabled(message, deps);
  if (receiveCount > 1 && message.tries === 0 && !message.replay) await armLostEvent(message, receiveCount, by, deps);
  const carried = receiveCount === 1 ? carriedEvent(message, deps.clock.now()) : undefined;
  const [event, receiver] = await Promise.all([
    carried ?? deps.events.get(message.org_id, message.event_id),
    receiverOf(message, carried, deps),
  ]);
  if (!event) return deps.log.warn('delivery_without_event', { event_id: message.event_id });
  // A later attempt may come from the sweep: its log names the request that made the event all the same.
  if (!isStale(message, event)) await inTrace(event.trace, () => deliver(message, event, receiver, by, deps));
}

/**
 * The event that the message of its first attempt carries. A message that comes again may have led to an attempt, and
 * one that is late may come out of the dead letters after the sweep has found the event.
 */
function carriedEvent(
  { org_id, event_id, carried, tries, replay, trace }: DeliveryMessage,
  at: Date,
): EventRecord | undefined {
  if (!carried || tries > 0 || replay) return undefined;
  const { created_at } = carried;
  const id = { id: event_id, org_id, ...(trace !== undefined && { trace }) };
  const event = { ...id, ...carried, status: 'pending', attempts: [], tries: 0, next_attempt_at: created_at } as const;
  return isOverdue(event, at) ? undefined : event;
}

/**
 * What somebody asks for goes to the endpoint that is configured now; so does the first attempt of an event whose time
 * is unknown. Other attempts may use a configuration that was read two seconds ago, but after the event happened.
 */
function receiverOf(
  { org_id, tries, replay }: DeliveryMessage,
  carried: EventRecord | undefined,
  { webhookConfigs, clock }: Needs,
): Promise<WebhookConfig | undefined> {
  if (replay || (tries === 0 && !carried)) return webhookConfigs.get(org_id);
  return webhookConfigs.recent(org_id, clock.now(), carried && new Date(carried.created_at));
}

/**
 * After its first attempt an event is in the due index, which finds it even if its message is lost. Before that only
 * the message knows of it. So a message that comes a second time adds the event to the due index. If the store does not
 * take that either, the last message is followed by a later one, however long the store is down. The attempt is made
 * anyway.
 */
async function armLostEvent(
  message: DeliveryMessage,
  receiveCount: number,
  by: DeliveryLane,
  { events, queue, clock }: Needs,
): Promise<void> {
  // A later message must look whether there was an attempt meanwhile.
  const { carried: _, ...later } = message;
  const { org_id, event_id } = message;
  try {
    await events.schedule({ org_id, id: event_id, tries: 0 }, plus(clock.now(), LOST_AFTER));
  } catch {
    if (receiveCount >= MAX_RECEIVES)
      await queue.send(by, [{ body: later, group: org_id, delaySeconds: MAX_DELAY_SECONDS }]);
  }
}

/** Delivers it in the lane of its endpoint, or ends the event where it has no endpoint or no subscription. */
async function deliver(
  message: DeliveryMessage,
  event: EventRecord,
  recent: WebhookConfig | undefined,
  by: DeliveryLane,
  deps: Needs,
): Promise<void> {
  const isRequested = message.replay && !message.subscribed_only;
  const isWanted = recent !== undefined && isDeliverable(event, recent, isRequested);
  // An event whose attempts have failed ends only by the configuration of now: it may just have been enabled again.
  const receiver = isWanted || message.tries === 0 ? recent : await deps.webhookConfigs.get(message.org_id);
  if (!receiver || !isDeliverable(event, receiver, isRequested))
    return endWithoutDelivery(message, event, receiver, deps);
  const at = deps.clock.now();
  const lane = laneOf(receiver, at);
  if (by === 'webhook-delivery' && lane !== by)
    return deps.queue.send(lane, [{ body: message, group: message.org_id }]);
  if (!(await mayReplay(message, event, at, deps))) return;
  const { statusCode, durationMs, error, retryAfter, response } = await send(event, receiver, at, deps);
  const made = { at: at.toISOString(), status_code: statusCode, duration_ms: durationMs, error };
  const attempt = { ...made, ...(response !== undefined && { response }) };
  const { replay } = message;
  const ends = isGone(attempt) && !(await isReplaced(receiver, deps));
  await recordAttempt(event, { attempt, retryAfter, lane, replay, ends }, deps);
  if (ends || !isGone(attempt)) await recordWebhookHealth(receiver, attempt, event, replay, deps);
}

/**
 * Whether no other page of a bulk replay has just sent this event. Its message may still be on the way, so the attempts
 * do not show it yet. The same message may come again after a crash.
 */
async function mayReplay(
  { bulk_step }: DeliveryMessage,
  event: EventRecord,
  at: Date,
  { events }: Needs,
): Promise<boolean> {
  return bulk_step === undefined || events.claimReplay(event, bulk_step, at, plus(at, -RESEND_AFTER));
}

/**
 * An endpoint that responds 410 is disabled only while it is the configured one. Otherwise the event is for the new
 * one.
 */
async function isReplaced({ org_id, version }: WebhookConfig, { webhookConfigs }: Needs): Promise<boolean> {
  const now = await webhookConfigs.get(org_id);
  return now?.enabled === true && now.version !== version;
}

/**
 * Whether this message has nothing left to do. The message of the next attempt is sent before the attempt is recorded,
 * so that a crash in between loses nothing. It may then arrive before the record, and must come again.
 */
function isStale({ tries, replay, only_failed, attempted_before }: DeliveryMessage, event: EventRecord): boolean {
  if (attempted_before !== undefined && isAttemptedSince(event, attempted_before)) return true;
  if (only_failed) return event.status !== 'failed';
  if (replay) return false;
  if (tries > event.tries && event.status === 'pending')
    throw new Error('The attempt before this one is not recorded yet.');
  return event.status !== 'pending' || tries < event.tries;
}

/**
 * Ends a scheduled delivery: `failed` if the event can be replayed once webhooks are enabled again, else `skipped`. A
 * replay without an endpoint leaves the event as it was.
 */
async function endWithoutDelivery(
  { replay }: DeliveryMessage,
  event: EventRecord,
  receiver: WebhookConfig | undefined,
  { events }: Needs,
): Promise<void> {
  if (!replay)
    await events.recordAttempt(event, {
      status: isReplayable(event, receiver) ? 'failed' : 'skipped',
      nextAt: null,
      dueAt: null,
    });
}

async function send(event: EventRecord, receiver: WebhookConfig, at: Date, { vault, webhookHttp }: Needs) {
  const open = ({ sealed_secret }: { readonly sealed_secret: string }) =>
    vault.open(sealed_secret, signingSecretContext(receiver.org_id));
  const [secret, former] = await Promise.all([
    open(receiver),
    Promise.all(validPreviousSecrets(receiver, at).map(open)),
  ]);
  const timestamp = Math.floor(at.getTime() / 1_000);
  const body = payloadOf(event, timestamp);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payfork-webhooks',
    ...signedHeaders(event.id, timestamp, body, secret, former),
  };
  return webhookHttp.post({ url: receiver.url, headers, body, timeoutMs: RESPONSE_WINDOW });
}
