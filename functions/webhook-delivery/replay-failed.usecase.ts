import type { ReplayFailedMessage } from '#functions/webhook-delivery/delivery-message.schema.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'events' | 'receivers' | 'queue' | 'log'>;

/** What one message reads and sends again. */
const PAGE = 100;

/**
 * Sends a page of failed events again, the oldest first, and then a message for the next page. Whatever dies on the way is
 * done again: an event may be sent twice, while it is failed, and none is left out. Where webhooks were turned off meanwhile
 * it ends: all else would come to nothing.
 */
export async function replayFailed({ org_id, replay_failed }: ReplayFailedMessage, { events, receivers, queue, log }: Needs, page = PAGE): Promise<void> {
  const receiver = await receivers.get(org_id);
  if (!receiver?.enabled) return log.info('replay_ended_early', { org_id });
  const { ids, next } = await events.failed(org_id, replay_failed, page);
  await queue.send(
    'webhook-delivery',
    ids.map((event_id) => ({ body: { org_id, event_id, replay: true, only_failed: true }, group: org_id })),
  );
  if (next === undefined) return;
  await queue.send('webhook-delivery', [{ body: { org_id, replay_failed: { ...replay_failed, after: next } }, group: org_id }]);
}
