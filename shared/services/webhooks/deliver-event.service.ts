import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import { isGone, isWanted, LOST_AFTER, payloadOf, RESPONSE_WINDOW } from '#shared/domain/webhooks/delivery.rules.ts';
import { type DeliveryLane, laneOf } from '#shared/domain/webhooks/delivery-lane.rules.ts';
import type { ReceiverConfig } from '#shared/domain/webhooks/receiver-config.model.ts';
import { validFormer } from '#shared/domain/webhooks/receiver-config.rules.ts';
import { isOwed } from '#shared/domain/webhooks/receiver-health.rules.ts';
import { secretPlace, signedHeaders } from '#shared/domain/webhooks/webhook-signature.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { type DeliveryMessage, WebhookMessage } from '#shared/services/webhooks/delivery-message.schema.ts';
import { recordOutcome } from '#shared/services/webhooks/record-outcome.service.ts';
import { replayFailed } from '#shared/services/webhooks/replay-failed.service.ts';
import { settleDelivery } from '#shared/services/webhooks/settle-delivery.service.ts';
import { notifyDisabled } from '#shared/services/webhooks/notify-disabled.service.ts';

type Needs = Pick<
  Deps,
  'events' | 'receivers' | 'members' | 'vault' | 'outbound' | 'queue' | 'mail' | 'config' | 'clock' | 'log'
>;

/**
 * One try to deliver one event. A rejection makes the queue deliver the message again, with its receive count. A
 * message of the fast lane for a dead receiver moves to the slow lane, and is tried there whatever the receiver's state
 * is by then.
 */
export async function deliverEvent(
  body: Readonly<Record<string, unknown>>,
  deps: Needs,
  receiveCount = 1,
  by: DeliveryLane = 'webhook-delivery',
): Promise<void> {
  const message = WebhookMessage.parse(body);
  if ('replay_failed' in message) return replayFailed(message, deps);
  if ('turned_off' in message) return notifyDisabled(message, deps);
  if (receiveCount > 1 && message.tries === 0 && !message.replay) await noteUntried(message, deps);
  const [event, receiver] = await Promise.all([
    deps.events.get(message.org_id, message.event_id),
    deps.receivers.get(message.org_id),
  ]);
  if (!event) return deps.log.warn('delivery_without_event', { event_id: message.event_id });
  if (!isStale(message, event)) await attend(message, event, receiver, by, deps);
}

/**
 * A retried event is found through the due index if its message is lost; a first try is known by its message alone, so
 * its failure could not be reported. Where this mark can't be written the try is made anyway: it may be the last one.
 */
async function noteUntried({ org_id, event_id }: DeliveryMessage, { events, clock }: Needs): Promise<void> {
  await events.arm({ org_id, id: event_id, tries: 0 }, plus(clock.now(), LOST_AFTER)).catch(() => undefined);
}

/** The lane it belongs to, or none. */
async function attend(
  message: DeliveryMessage,
  event: EventRecord,
  receiver: ReceiverConfig | undefined,
  by: DeliveryLane,
  deps: Needs,
): Promise<void> {
  const isAskedFor = message.replay && !message.subscribed_only;
  if (!receiver || !isWanted(event, receiver, isAskedFor)) return endUnsent(message, event, receiver, deps);
  const at = deps.clock.now();
  const lane = laneOf(receiver, at);
  if (by === 'webhook-delivery' && lane !== by)
    return deps.queue.send(lane, [{ body: message, group: message.org_id }]);
  const { statusCode, durationMs, error, retryAfter } = await send(event, receiver, at, deps);
  const attempt = { at: at.toISOString(), status_code: statusCode, duration_ms: durationMs, error };
  const { replay } = message;
  const ends = isGone(attempt) && !(await isConfiguredSince(receiver, deps));
  await settleDelivery(event, { attempt, retryAfter, lane, replay, ends }, deps);
  if (ends || !isGone(attempt)) await recordOutcome(receiver, attempt, event, replay, deps);
}

/**
 * A receiver that is gone is turned off only if it is still the saved one: otherwise the event is for its successor.
 */
async function isConfiguredSince({ org_id, version }: ReceiverConfig, { receivers }: Needs): Promise<boolean> {
  const now = await receivers.get(org_id);
  return now?.enabled === true && now.version !== version;
}

/**
 * A message whose try is not settled yet must come again: it was sent first, so that a crash in between can't lose it.
 */
function isStale({ tries, replay, only_failed }: DeliveryMessage, event: EventRecord): boolean {
  if (only_failed) return event.status !== 'failed';
  if (replay) return false;
  if (tries > event.tries && event.status === 'pending') throw new Error('The try before this one is not settled yet.');
  return event.status !== 'pending' || tries < event.tries;
}

/**
 * A planned delivery ends: `failed` where the event is owed, so that it can be replayed once the receiver is back,
 * `skipped` elsewhere. A replay without a receiver leaves the event as it was.
 */
async function endUnsent(
  { replay }: DeliveryMessage,
  event: EventRecord,
  receiver: ReceiverConfig | undefined,
  { events }: Needs,
): Promise<void> {
  if (!replay)
    await events.settle(event, { status: isOwed(event, receiver) ? 'failed' : 'skipped', nextAt: null, dueAt: null });
}

async function send(event: EventRecord, receiver: ReceiverConfig, at: Date, { vault, outbound }: Needs) {
  const open = ({ sealed_secret }: { readonly sealed_secret: string }) =>
    vault.open(sealed_secret, secretPlace(receiver.org_id));
  const [secret, former] = await Promise.all([open(receiver), Promise.all(validFormer(receiver, at).map(open))]);
  const timestamp = Math.floor(at.getTime() / 1_000);
  const body = payloadOf(event, timestamp);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payfork-webhooks',
    ...signedHeaders(event.id, timestamp, body, secret, former),
  };
  return outbound.post({ url: receiver.url, headers, body, timeoutMs: RESPONSE_WINDOW });
}
