import {
  isConnectionId,
  loadConnection,
  shownConnection,
  withCallTotals,
} from '#functions/connections/connection-store.ts';
import type { ListAuditInput, ListConnectionsInput } from '#functions/connections/connections.schema.ts';
import { limitPageSize, pageOf } from '#shared/domain/reference/page.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { isClaimedActor } from '#shared/domain/routing/connection-audit.rules.ts';
import { callsView } from '#shared/domain/routing/health.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export async function getConnection(
  { id }: { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'connections' | 'storedTotals' | 'clock' | 'config' | 'psp'>,
) {
  return withCallTotals(await loadConnection({ id }, caller, deps), deps);
}

/** An organization has few connections. */
export async function listConnections(
  query: ListConnectionsInput,
  caller: Caller,
  {
    connections,
    storedTotals,
    clock,
    ...deps
  }: Pick<Deps, 'connections' | 'storedTotals' | 'clock' | 'config' | 'psp'>,
) {
  const stored = await connections.list(caller.orgId);
  const matching = stored.filter((connection) => matches(connection, query));
  const page = pageOf(matching, query, ({ created_at, id }) => `${created_at} ${id}`);
  const calls = await storedTotals.callTotalsOf(caller.orgId, page.items);
  const items = page.items.map((connection) => ({
    ...shownConnection(connection, deps),
    ...callsView(calls.get(connection.id), clock.now()),
  }));
  return { ...page, items };
}

const matches = (connection: Connection, { label, provider, status, mode }: ListConnectionsInput): boolean =>
  (label === undefined || connection.labels.includes(label)) &&
  (provider === undefined || connection.provider === provider) &&
  (status === undefined || connection.status === status) &&
  (mode === undefined || connection.mode === mode);

/** Newest first. Entries are numbered, so any page is found directly. Those of a deleted connection stay readable. */
export async function listAudit(
  { id, ...query }: ListAuditInput & { readonly id: string },
  caller: Caller,
  deps: Pick<Deps, 'connections'>,
) {
  const connection = orNotFound(
    isConnectionId(id) ? await deps.connections.get(caller.orgId, id) : undefined,
    'There is no such connection.',
  );
  const below = query.cursor === undefined ? connection.audits : Number(query.cursor) - 1;
  const from = Math.min(below, connection.audits) - query.offset;
  const entries = from < 1 ? [] : limitPageSize(await deps.connections.audit(caller.orgId, id, from, query.limit));
  const last = entries.at(-1)?.id ?? 1;
  return {
    items: entries.map((entry) => ({ ...entry, actor_claimed: isClaimedActor(entry) })),
    next: last > 1 ? String(last) : undefined,
  };
}
