import type { ListEventsInput } from '#functions/webhooks/webhooks.schema.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function listEvents(
  query: ListEventsInput,
  caller: Caller,
  { events, config }: Pick<Deps, 'events' | 'config'>,
) {
  const page = await events.list(caller.orgId, query);
  const link = nextLink(`${config.apiUrl}/v1/webhooks/events`, query, page.next);
  const { limit, offset } = query;
  return new Answer({ events: page.items, pagination: { limit, offset, has_more: page.next !== undefined } }, { link });
}
