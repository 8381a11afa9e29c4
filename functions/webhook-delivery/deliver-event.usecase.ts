import { DeliveryMessage } from '#functions/webhook-delivery/delivery-message.schema.ts';
import { settleDelivery } from '#functions/webhook-delivery/settle-delivery.usecase.ts';
import { isWanted, payloadOf, RESPONSE_WINDOW } from '#shared/domain/delivery.rules.ts';
import type { EventRecord } from '#shared/domain/events.catalog.ts';
import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import { secretPlace, signedHeaders } from '#shared/domain/webhook-signature.rules.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'receivers' | 'vault' | 'outbound' | 'queue' | 'clock' | 'log'>;

/** One try to deliver one event. Where it rejects, the queue brings the message again. */
export async function deliverEvent(body: Readonly<Record<string, unknown>>, deps: Needs): Promise<void> {
  const message = DeliveryMessage.parse(body);
  const [event, receiver] = await Promise.all([deps.events.get(message.org_id, message.event_id), deps.receivers.get(message.org_id)]);
  if (!event) return deps.log.warn('delivery_without_event', { event_id: message.event_id });
  if (isStale(message, event)) return;
  if (!receiver || !isWanted(event, receiver, message.replay)) return skip(message, event, deps);

  const at = deps.clock.now();
  const { statusCode, durationMs, error, retryAfter } = await send(event, receiver, at, deps);
  const attempt = { at: at.toISOString(), status_code: statusCode, duration_ms: durationMs, error };
  await settleDelivery(event, { attempt, retryAfter }, deps);
}

/** A message whose try is yet to be settled must come again: it was sent first, so that a crash in between can't lose it. */
function isStale({ tries, replay }: DeliveryMessage, event: EventRecord): boolean {
  if (replay) return false;
  if (tries > event.attempts.length && event.status === 'pending') throw new Error('The try before this one is not settled yet.');
  return event.status !== 'pending' || tries < event.attempts.length;
}

/** A replay to nobody leaves the event as it was. */
async function skip({ replay }: DeliveryMessage, event: EventRecord, { events }: Needs): Promise<void> {
  if (!replay) await events.settle(event, { status: 'skipped', nextAt: null, dueAt: null });
}

async function send(event: EventRecord, { url, sealed_secret, org_id }: ReceiverConfig, at: Date, { vault, outbound }: Needs) {
  const secret = await vault.open(sealed_secret, secretPlace(org_id));
  const timestamp = Math.floor(at.getTime() / 1_000);
  const body = payloadOf(event, timestamp);
  const headers = { 'content-type': 'application/json', 'user-agent': 'payfork-webhooks', ...signedHeaders(event.id, timestamp, body, secret) };
  return outbound.post({ url, headers, body, timeoutMs: RESPONSE_WINDOW });
}
