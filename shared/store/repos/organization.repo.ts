import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { Renamed } from '#shared/domain/accounts/organization.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { ConnectionAudit } from '#shared/domain/routing/connection-audit.rules.ts';
import { purgeAt } from '#shared/domain/routing/connection-credentials.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { ConnectionsPort } from '#shared/ports/connections.port.ts';
import type { OrganizationsPort, Setup } from '#shared/ports/organizations.port.ts';
import type { Cond, Item, TablePort, Write } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { getAll } from '#shared/store/get-all.ts';
import { indexKeys, keys } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';
import { toRunning } from '#shared/store/repos/ab-test.repo.ts';
import { toFraudPolicy } from '#shared/store/repos/fraud-policy.repo.ts';
import { organizationChange, organizationItem, toOrganization } from '#shared/store/repos/organization.entity.ts';
import { toRule } from '#shared/store/repos/routing-rule.repo.ts';
import { toCalls, toUsage } from '#shared/store/repos/totals.repo.ts';
import { createOnce } from '#shared/store/versioned.ts';

/** An organization with its routing data, in one partition. */
export class OrganizationRepo implements OrganizationsPort, ConnectionsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  create(organization: Organization): Promise<Organization> {
    return createOnce(this.#table, { toItem: organizationItem, fromItem: toOrganization }, organization);
  }

  /** Consistent: a new connection can take the very next payment. */
  async setup(orgId: string): Promise<Setup> {
    const items = await allPages(this.#table, {
      pk: `ORG#${orgId}`,
      range: { between: ['a', 'z'] },
      limit: 1_000,
      consistent: true,
    });
    const of = (type: string) => items.filter((item) => item.item_type === type);
    const connections = of('connection').map(toConnection);
    return {
      organization: of('organization').map(toOrganization)[0],
      connections: connections.filter(({ deleted_at }) => deleted_at === undefined),
      deletedConnections: connections.filter(({ deleted_at }) => deleted_at !== undefined).map(({ id }) => id),
      rules: of('routing_rule').map(toRule),
      tests: of('running_tests').flatMap(toRunning),
      fraud: of('fraud_policy').map(toFraudPolicy)[0],
      usage: toUsage(of('usage')[0]),
      calls: callsIn(of('calls'), connections),
    };
  }

  async byId(orgId: string): Promise<Organization | undefined> {
    const item = await this.#table.get(keys.organization(orgId), { consistent: true });
    return item && toOrganization(item);
  }

  async byIds(orgIds: readonly string[]): Promise<readonly (Organization | undefined)[]> {
    const items = await getAll(this.#table, orgIds.map(keys.organization));
    return items.map((item) => item && toOrganization(item));
  }

  async change(before: Organization, changed: Renamed): Promise<boolean> {
    const { name, legal_name, kyc } = before;
    const all: readonly Cond[] = [{ eq: ['name', name] }, { eq: ['legal_name', legal_name] }, { eq: ['kyc', kyc] }];
    return (await this.#table.update(keys.organization(before.id), organizationChange(before, changed), { all })).ok;
  }

  async get(orgId: string, id: string): Promise<Connection | undefined> {
    const item = await this.#table.get(keys.connection(orgId, id), { consistent: true });
    return item && toConnection(item);
  }

  async save(connection: Connection, audit?: ConnectionAudit, template?: string): Promise<boolean> {
    const item = toItem(connection);
    const cond: Cond = connection.version === 1 ? { absent: 'pk' } : { eq: ['version', connection.version - 1] };
    if (!audit && template === undefined) return (await certainPut(this.#table, item, cond)).ok;
    const beside = [
      ...(audit ? [{ put: auditItem(connection, audit) }] : []),
      ...(template === undefined ? [] : naming(connection.org_id, template)),
    ];
    const written = await this.#table.transact([{ put: item, cond }, ...beside], randomText(32));
    return written.ok;
  }

  async audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]> {
    const { pk, sk } = keys.connectionAudit(orgId, id, from);
    const page = await this.#table.query({ pk, range: { le: sk }, limit, newestFirst: true, consistent: true });
    return page.items.map((item) => recordIn<ConnectionAudit>(item));
  }
}

/** Each connection's own totals: those of earlier ones with its id are stored beside them. */
function callsIn(items: readonly Item[], connections: readonly Connection[]): Setup['calls'] {
  const generations = new Map(connections.map(({ id, generation }) => [id, generation]));
  const own = items.filter(
    ({ connection_id, generation = '1' }) => String(generations.get(String(connection_id))) === generation,
  );
  return new Map(own.map((item) => [String(item.connection_id), toCalls(item)]));
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

const auditItem = ({ org_id, id }: Connection, audit: ConnectionAudit): Item => ({
  ...keys.connectionAudit(org_id, id, audit.id),
  item_type: 'connection_audit',
  ...(audit as unknown as Item),
});

/**
 * The head's version moves too: a concurrent delete of the template has seen no connection that names it, and must look
 * again.
 */
const naming = (orgId: string, template: string): readonly Write[] => [
  { check: keys.workflow(orgId, 'template', template), cond: { exists: 'pk' } },
  { update: keys.workflowHead(orgId), change: { add: { version: 1 } } },
];

const toConnection = (item: Item): Connection => ({
  ...recordIn<Connection>(item),
  audits: Number(item.audits ?? 0),
  used_by_rules: Number(item.used_by_rules ?? 0),
  generation: Number(item.generation ?? 1),
  former: (item.former ?? []) as Connection['former'],
});
