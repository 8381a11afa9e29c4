import { needReceiver } from '#functions/webhooks/need-receiver.ts';
import type { ReplayFailedInput } from '#functions/webhooks/webhooks.schema.ts';
import { invalidFields } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Only accepted here, however many there are: a message begins, and each leads to the next (`replay-failed`). */
export async function replayFailedEvents(
  { since, type, ...wish }: ReplayFailedInput,
  caller: Caller,
  { receivers, queue }: Pick<Deps, 'receivers' | 'queue'>,
) {
  const until = wish.until ?? caller.operation.at.toISOString();
  if (since >= until)
    throw invalidFields([{ path: 'since', message: 'Must be before `until`, which is now where it is left out.' }]);
  await needReceiver(caller.orgId, { receivers });
  const replay_failed = { since, until, ...(type !== undefined && { type }) };
  await queue.send('webhook-delivery', [{ body: { org_id: caller.orgId, replay_failed }, group: caller.orgId }]);
  return { since, until, type: type ?? null, accepted: true } as const;
}
