import type { ListAuditInput } from '#functions/connections/connections.schema.ts';
import { isConnectionId } from '#functions/connections/stored-connection.ts';
import { fittingInAnswer } from '#shared/domain/reference/page.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Newest first. Entries are numbered, so any page is found directly; a deleted connection's entries stay. */
export async function listAudit(
  { id, ...query }: ListAuditInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'connections' | 'config'>,
) {
  const connection = need(
    isConnectionId(id) ? await deps.connections.get(caller.orgId, id) : undefined,
    'There is no such connection.',
  );
  const below = query.cursor === undefined ? connection.audits : Number(query.cursor) - 1;
  const from = Math.min(below, connection.audits) - query.offset;
  const entries = from < 1 ? [] : fittingInAnswer(await deps.connections.audit(caller.orgId, id, from, query.limit));
  const last = entries.at(-1)?.id ?? 1;
  const link = nextLink(`${deps.config.apiUrl}/v1/connections/${id}/audit`, query, last > 1 ? String(last) : undefined);
  return new Answer([...entries], { link });
}
