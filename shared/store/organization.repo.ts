import type { Connection } from '#shared/domain/connection.model.ts';
import { purgeAt } from '#shared/domain/connection.rules.ts';
import type { ConnectionAudit } from '#shared/domain/connection-audit.rules.ts';
import type { Organization } from '#shared/domain/organization.model.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { ConnectionsPort, OrganizationsPort, Setup } from '#shared/ports/stores.port.ts';
import type { Cond, Item, TablePort } from '#shared/ports/table.port.ts';
import { toRunning } from '#shared/store/ab-test.repo.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { toFraudPolicy } from '#shared/store/fraud-policy.repo.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { toRule } from '#shared/store/routing-rule.repo.ts';
import { toCalls } from '#shared/store/totals.repo.ts';

/** An organization and all that routing needs of it, in one partition. */
export class OrganizationRepo implements OrganizationsPort, ConnectionsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async create(organization: Organization): Promise<void> {
    await this.#table.put({ ...keys.organization(organization.id), item_type: 'organization', ...organization }, { absent: 'pk' });
  }

  /** Consistent: a connection that was just made takes the next payment. */
  async setup(orgId: string): Promise<Setup> {
    const items: Item[] = [];
    let after: string | undefined;
    do {
      const page = await this.#table.query({ pk: `ORG#${orgId}`, range: { between: ['a', 'z'] }, limit: 1_000, consistent: true, ...(after && { after }) });
      items.push(...page.items);
      after = page.next;
    } while (after);
    const of = (type: string) => items.filter((item) => item.item_type === type);
    const connections = of('connection').map(toConnection);
    return {
      organization: of('organization').map((item) => stripped<Organization>(item))[0],
      connections: connections.filter(({ deleted_at }) => deleted_at === undefined),
      deletedConnections: connections.filter(({ deleted_at }) => deleted_at !== undefined).map(({ id }) => id),
      rules: of('routing_rule').map(toRule),
      tests: of('running_tests').flatMap(toRunning),
      fraud: of('fraud_policy').map(toFraudPolicy)[0],
      calls: new Map(of('calls').map((item) => [String(item.connection_id), toCalls(item)])),
    };
  }

  async get(orgId: string, id: string): Promise<Connection | undefined> {
    const item = await this.#table.get(keys.connection(orgId, id), { consistent: true });
    return item && toConnection(item);
  }

  async save(connection: Connection, audit?: ConnectionAudit): Promise<boolean> {
    const item = toItem(connection);
    const cond: Cond = connection.version === 1 ? { absent: 'pk' } : { eq: ['version', connection.version - 1] };
    if (!audit) return (await certainPut(this.#table, item, cond)).ok;
    const entry = { ...keys.connectionAudit(connection.org_id, connection.id, audit.id), item_type: 'connection_audit', ...(audit as unknown as Item) };
    const written = await this.#table.transact([{ put: item, cond }, { put: entry }], randomText(32));
    return written.ok;
  }

  async audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]> {
    const { pk, sk } = keys.connectionAudit(orgId, id, from);
    const page = await this.#table.query({ pk, range: { le: sk }, limit, newestFirst: true, consistent: true });
    return page.items.map((item) => stripped<ConnectionAudit>(item));
  }
}

function toItem(connection: Connection): Item {
  const { org_id, id } = connection;
  const due = purgeAt(connection)?.toISOString();
  return {
    ...(connection as unknown as Item),
    ...keys.connection(org_id, id),
    item_type: 'connection',
    ...(due !== undefined && { due_pk: indexKeys.due(id), due_sk: `${due}#${id}` }),
  };
}

const toConnection = (item: Item): Connection => ({
  ...stripped<Connection>(item),
  audits: Number(item.audits ?? 0),
  used_by_rules: Number(item.used_by_rules ?? 0),
});

function stripped<T>(item: Item): T {
  const { pk: _, sk: __, item_type: ___, nonce: ____, due_pk: _____, due_sk: ______, ...rest } = item;
  return rest as unknown as T;
}
