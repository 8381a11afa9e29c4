import type { Connection, RoutedConnection } from '#shared/domain/routing/connection.model.ts';
import type { ConnectionAudit } from '#shared/domain/routing/connection-audit.rules.ts';
import { credentialsOf } from '#shared/domain/routing/connection-credentials.rules.ts';
import type { RoutingSetup } from '#shared/domain/routing/routing-snapshot.rules.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import type { ConnectionsPort } from '#shared/ports/connections.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import { connectionItem, isLive, toConnection } from '#shared/store/repos/routing/setup.entity.ts';
import { writeSetup } from '#shared/store/repos/routing/write-setup.ts';
import type { Condition, Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/** How long a callback that repeats a success may be verified with the credentials that a process has read. */
const RECENT_MS = 5_000;

export class ConnectionRepo implements ConnectionsPort {
  readonly #table: TablePort;
  readonly #recent = new RecentReads<Connection | undefined>(RECENT_MS);
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string, id: string): Promise<Connection | undefined> {
    const item = await this.#table.get(keys.connection(orgId, id), { consistent: true });
    return item && toConnection(item);
  }

  recent(orgId: string, id: string): Promise<Connection | undefined> {
    return this.#recent.read(recentName(orgId, id), systemClock.now(), async () => {
      const item = await this.#table.get(keys.connection(orgId, id));
      return item && toConnection(item);
    });
  }

  async list(orgId: string): Promise<readonly Connection[]> {
    const items = await queryAll(this.#table, { ...ranges.connections(orgId), limit: 1_000, consistent: true });
    return items.map(toConnection).filter(isLive);
  }

  /** Half a unit where a read that may be late finds what routing saw, which is nearly always. */
  async withCredentials(routed: RoutedConnection): Promise<Connection | undefined> {
    const item = await this.#table.get(keys.connection(routed.org_id, routed.id));
    const read = item && toConnection(item);
    return read && isSame(read, routed) ? read : asRouted(await this.get(routed.org_id, routed.id), routed);
  }

  async save(
    connection: Connection,
    audit?: ConnectionAudit,
    template?: string,
    assertAllowed?: (before: RoutingSetup) => void,
  ): Promise<boolean> {
    const { org_id, id, version } = connection;
    const condition: Condition = version === 1 ? { absent: 'pk' } : { eq: ['version', version - 1] };
    const writes: readonly Write[] = [
      { put: connectionItem(connection), condition },
      ...(audit ? [{ put: auditItem(connection, audit) }] : []),
      ...(template === undefined ? [] : templateCheckWrites(org_id, template)),
    ];
    const { ok } = await writeSetup(this.#table, org_id, writes, assertAllowed);
    this.#recent.forget(recentName(org_id, id));
    return ok;
  }

  /** Without a condition: a callback that is late may set the time back by a moment, which harms nobody. */
  async countForeignEvents(
    { org_id, id, generation }: Pick<Connection, 'org_id' | 'id' | 'generation'>,
    count: number,
    at: Date,
  ): Promise<void> {
    const set = {
      item_type: 'foreign_events',
      connection_id: id,
      last_foreign_event_at: at.toISOString(),
      ...(generation > 1 && { generation: String(generation) }),
    };
    await this.#table.update(keys.foreignEvents(org_id, id, generation), { set, add: { foreign_events: count } });
  }

  async audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]> {
    const { pk, sk } = keys.connectionAudit(orgId, id, from);
    const page = await this.#table.query({ pk, range: { le: sk }, limit, newestFirst: true, consistent: true });
    return page.items.map((item) => fromItem<ConnectionAudit>(item));
  }
}

const recentName = (orgId: string, id: string): string => `${orgId}#${id}`;

const isSame = (connection: Connection, { generation, credentials_mark }: RoutedConnection): boolean =>
  isLive(connection) && connection.generation === generation && connection.credentials_mark === credentials_mark;

/** With the credentials that routing saw, if they were replaced since. */
function asRouted(found: Connection | undefined, routed: RoutedConnection): Connection | undefined {
  if (!found || !isLive(found) || found.generation !== routed.generation) return undefined;
  const sealed_credentials = credentialsOf(found, routed).original;
  return sealed_credentials === undefined ? undefined : { ...found, sealed_credentials };
}

const auditItem = ({ org_id, id }: Connection, audit: ConnectionAudit): Item => ({
  ...keys.connectionAudit(org_id, id, audit.id),
  item_type: 'connection_audit',
  ...(audit as unknown as Item),
});

/**
 * Checks that the template exists. The version of the head increases too: a concurrent delete of the template has not
 * seen this connection, so it must fail and check again.
 */
const templateCheckWrites = (orgId: string, template: string): readonly Write[] => [
  { check: keys.workflow(orgId, 'template', template), condition: { exists: 'pk' } },
  { update: keys.workflowHead(orgId), change: { add: { version: 1 } } },
];
