import type { Deps } from '#shared/ports/deps.ts';
import type { ReplayFailedMessage } from '#shared/services/webhooks/delivery-message.schema.ts';

type Needs = Pick<Deps, 'events' | 'webhookConfigs' | 'queue' | 'log'>;

const REPLAY_IF_FAILED = { replay: true, only_failed: true };

/** Events that one message replays. */
const PAGE = 100;

/**
 * Replays one page of failed events, oldest first, then queues a message for the next page. After a crash the page is
 * repeated: an event may be sent twice while it is failed, but none is left out. An event type without a subscription
 * is sent only if the caller named it. The replay ends if webhooks are disabled meanwhile.
 */
export async function replayFailedPage(
  { org_id, replay_failed }: ReplayFailedMessage,
  { events, webhookConfigs, queue, log }: Needs,
  page = PAGE,
): Promise<void> {
  const receiver = await webhookConfigs.get(org_id);
  if (!receiver?.enabled) return log.info('replay_ended_early', { org_id });
  const { ids, next } = await events.listFailedIds(org_id, replay_failed, page);
  await queue.send(
    'webhook-delivery',
    ids.map((event_id) => ({
      body: { org_id, event_id, ...REPLAY_IF_FAILED, subscribed_only: replay_failed.type === undefined },
      group: org_id,
    })),
  );
  if (next === undefined) return;
  await queue.send('webhook-delivery', [
    { body: { org_id, replay_failed: { ...replay_failed, after: next } }, group: org_id },
  ]);
}
