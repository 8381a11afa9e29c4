import { type DeliveryMessage, WebhookMessage } from '#functions/webhook-delivery/delivery-message.schema.ts';
import { noteOutcome } from '#functions/webhook-delivery/note-outcome.usecase.ts';
import { replayFailed } from '#functions/webhook-delivery/replay-failed.usecase.ts';
import { settleDelivery } from '#functions/webhook-delivery/settle-delivery.usecase.ts';
import { tellTurnedOff } from '#functions/webhook-delivery/tell-turned-off.usecase.ts';
import { isWanted, LOST_AFTER, payloadOf, RESPONSE_WINDOW } from '#shared/domain/delivery.rules.ts';
import { type DeliveryLane, laneOf } from '#shared/domain/delivery-lane.rules.ts';
import type { EventRecord } from '#shared/domain/events.catalog.ts';
import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { validFormer } from '#shared/domain/receiver-config.rules.ts';
import { isOwed } from '#shared/domain/receiver-health.rules.ts';
import { secretPlace, signedHeaders } from '#shared/domain/webhook-signature.rules.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'receivers' | 'members' | 'vault' | 'outbound' | 'queue' | 'mail' | 'config' | 'clock' | 'log'>;

/**
 * One try to deliver one event. Where it rejects, the queue brings the message again, and says how often it has. What comes by
 * the fast lane for a dead receiver is put into the slow one, and tried there, whatever has become of the receiver by then.
 */
export async function deliverEvent(
  body: Readonly<Record<string, unknown>>,
  deps: Needs,
  receiveCount = 1,
  by: DeliveryLane = 'webhook-delivery',
): Promise<void> {
  const message = WebhookMessage.parse(body);
  if ('replay_failed' in message) return replayFailed(message, deps);
  if ('turned_off' in message) return tellTurnedOff(message, deps);
  if (receiveCount > 1 && message.tries === 0 && !message.replay) await noteUntried(message, deps);
  const [event, receiver] = await Promise.all([deps.events.get(message.org_id, message.event_id), deps.receivers.get(message.org_id)]);
  if (!event) return deps.log.warn('delivery_without_event', { event_id: message.event_id });
  if (!isStale(message, event)) await attend(message, event, receiver, by, deps);
}

/**
 * What was tried before is found through the due index should its message be buried; of a first try only its message knows,
 * and nothing it dies of can be told afterwards. Where this can't be written the try is made all the same: it may be the last.
 */
async function noteUntried({ org_id, event_id }: DeliveryMessage, { events, clock }: Needs): Promise<void> {
  await events.arm({ org_id, id: event_id, tries: 0 }, plus(clock.now(), LOST_AFTER)).catch(() => undefined);
}

/** Where it belongs: into the other lane, or out. */
async function attend(message: DeliveryMessage, event: EventRecord, receiver: ReceiverConfig | undefined, by: DeliveryLane, deps: Needs): Promise<void> {
  if (!receiver || !isWanted(event, receiver, message.replay)) return endUnsent(message, event, receiver, deps);
  const at = deps.clock.now();
  const lane = laneOf(receiver, at);
  if (by === 'webhook-delivery' && lane !== by) return deps.queue.send(lane, [{ body: message, group: message.org_id }]);
  const { statusCode, durationMs, error, retryAfter } = await send(event, receiver, at, deps);
  const attempt = { at: at.toISOString(), status_code: statusCode, duration_ms: durationMs, error };
  await settleDelivery(event, { attempt, retryAfter, lane, replay: message.replay }, deps);
  await noteOutcome(receiver, attempt, event, deps);
}

/** A message whose try is yet to be settled must come again: it was sent first, so that a crash in between can't lose it. */
function isStale({ tries, replay, only_failed }: DeliveryMessage, event: EventRecord): boolean {
  if (only_failed) return event.status !== 'failed';
  if (replay) return false;
  if (tries > event.tries && event.status === 'pending') throw new Error('The try before this one is not settled yet.');
  return event.status !== 'pending' || tries < event.tries;
}

/** What is owed has failed, so that it is found and sent again once the receiver is back. A replay to nobody leaves the event as it was. */
async function endUnsent({ replay }: DeliveryMessage, event: EventRecord, receiver: ReceiverConfig | undefined, { events }: Needs): Promise<void> {
  if (!replay) await events.settle(event, { status: isOwed(event, receiver) ? 'failed' : 'skipped', nextAt: null, dueAt: null });
}

async function send(event: EventRecord, receiver: ReceiverConfig, at: Date, { vault, outbound }: Needs) {
  const open = ({ sealed_secret }: { readonly sealed_secret: string }) => vault.open(sealed_secret, secretPlace(receiver.org_id));
  const [secret, former] = await Promise.all([open(receiver), Promise.all(validFormer(receiver, at).map(open))]);
  const timestamp = Math.floor(at.getTime() / 1_000);
  const body = payloadOf(event, timestamp);
  const headers = { 'content-type': 'application/json', 'user-agent': 'payfork-webhooks', ...signedHeaders(event.id, timestamp, body, secret, former) };
  return outbound.post({ url: receiver.url, headers, body, timeoutMs: RESPONSE_WINDOW });
}
