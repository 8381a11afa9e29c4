import type { Deps } from '#shared/ports/deps.ts';
import type { ReplayFailedMessage } from '#shared/services/webhooks/delivery-message.schema.ts';

type Needs = Pick<Deps, 'events' | 'receivers' | 'queue' | 'log'>;

const AGAIN = { replay: true, only_failed: true };

/** Events that one message replays. */
const PAGE = 100;

/**
 * Replays a page of failed events, oldest first, then queues a message for the next page. After a crash the page is
 * repeated: an event may be sent twice while it is failed, and none is left out. Events without a subscription are sent
 * only if their type was named. It ends where webhooks were turned off meanwhile.
 */
export async function replayFailed(
  { org_id, replay_failed }: ReplayFailedMessage,
  { events, receivers, queue, log }: Needs,
  page = PAGE,
): Promise<void> {
  const receiver = await receivers.get(org_id);
  if (!receiver?.enabled) return log.info('replay_ended_early', { org_id });
  const { ids, next } = await events.failed(org_id, replay_failed, page);
  await queue.send(
    'webhook-delivery',
    ids.map((event_id) => ({
      body: { org_id, event_id, ...AGAIN, subscribed_only: replay_failed.type === undefined },
      group: org_id,
    })),
  );
  if (next === undefined) return;
  await queue.send('webhook-delivery', [
    { body: { org_id, replay_failed: { ...replay_failed, after: next } }, group: org_id },
  ]);
}
