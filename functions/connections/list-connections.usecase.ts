import type { ListConnectionsInput } from '#functions/connections/connections.schema.ts';
import { pageOf } from '#shared/domain/reference/page.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import { shownCalls } from '#shared/domain/routing/health.rules.ts';
import { Answer } from '#shared/http/route.ts';
import { nextLink } from '#shared/http/schema/common.schema.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** Connections are few, and routing reads them all in one query anyway. */
export async function listConnections(
  query: ListConnectionsInput,
  caller: Caller,
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
) {
  const { connections, calls } = await caller.setup();
  const wanted = connections.filter((connection) => fits(connection, query));
  const page = pageOf(wanted, query, ({ created_at, id }) => `${created_at} ${id}`);
  const link = nextLink(`${config.apiUrl}/v1/connections`, query, page.next);
  const shown = page.items.map((connection) => ({
    ...connection,
    ...shownCalls(calls.get(connection.id), clock.now()),
  }));
  return new Answer({ connections: shown, pagination: page.pagination }, { link });
}

const fits = (connection: Connection, { label, provider, status, mode }: ListConnectionsInput): boolean =>
  (label === undefined || connection.labels.includes(label)) &&
  (provider === undefined || connection.provider === provider) &&
  (status === undefined || connection.status === status) &&
  (mode === undefined || connection.mode === mode);
