import type { Organization, OrganizationSettings } from '#shared/domain/accounts/organization.model.ts';
import type { OrganizationNames } from '#shared/domain/accounts/organization.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { creationPosition, type ListPage } from '#shared/domain/reference/page.rules.ts';
import type { Connection } from '#shared/domain/routing/connection.model.ts';
import type { ConnectionAudit } from '#shared/domain/routing/connection-audit.rules.ts';
import { purgeAt } from '#shared/domain/routing/connection-credentials.rules.ts';
import { randomText, shardOf } from '#shared/kernel/ids.ts';
import type { ConnectionsPort } from '#shared/ports/connections.port.ts';
import type { OrganizationsPort, RoutingData } from '#shared/ports/organizations.port.ts';
import type { AuditQuery } from '#shared/ports/platform.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { dueEntry, indexKeys, keys, LIST_SHARDS, ranges } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { getAll, queryAll } from '#shared/store/read-all.ts';
import { auditWrite, listAuditEntries } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import { toCallTotals, toUsage } from '#shared/store/repos/reporting/totals.repo.ts';
import { toRunningTests } from '#shared/store/repos/routing/ab-test.repo.ts';
import { toFraudPolicy } from '#shared/store/repos/routing/fraud-policy.repo.ts';
import { toRule } from '#shared/store/repos/routing/routing-rule.repo.ts';
import type { Condition, Item, ItemChange, TablePort, Write } from '#shared/store/table/table.port.ts';
import { createOnce } from '#shared/store/versioned-repo.ts';

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
  async routingData(orgId: string): Promise<RoutingData> {
    const items = await queryAll(this.#table, {
      ...ranges.routingData(orgId),
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
      tests: of('running_tests').flatMap(toRunningTests),
      fraud: of('fraud_policy').map(toFraudPolicy)[0],
      usage: toUsage(of('usage')[0]),
      calls: currentCalls(of('calls'), connections),
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

  async change(
    before: Organization,
    changed: OrganizationNames & Pick<Organization, 'renamed_by'>,
    audit?: OrganizationAuditEntry,
  ): Promise<boolean> {
    const { name, legal_name, kyc } = before;
    const all: readonly Condition[] = [
      { eq: ['name', name] },
      { eq: ['legal_name', legal_name] },
      { eq: ['kyc', kyc] },
      sameRequestedName(before),
    ];
    const write: Write = {
      update: keys.organization(before.id),
      change: organizationChange(before, changed),
      condition: { all },
    };
    return (await this.#table.transact([write, ...(audit ? [auditWrite(audit)] : [])], randomText(32))).ok;
  }

  async changeSettings({ id, settings }: Organization, changed: OrganizationSettings): Promise<boolean> {
    const unchanged: Condition = settings ? { eq: ['settings', settings] } : { absent: 'settings' };
    const all: readonly Condition[] = [{ exists: 'pk' }, unchanged];
    return (await this.#table.update(keys.organization(id), { set: { settings: changed } }, { all })).ok;
  }

  auditEntries(orgId: string, query: AuditQuery): Promise<ListPage<OrganizationAuditEntry>> {
    return listAuditEntries(this.#table, keys.organizationAuditEntry(orgId, '').pk, query);
  }

  async get(orgId: string, id: string): Promise<Connection | undefined> {
    const item = await this.#table.get(keys.connection(orgId, id), { consistent: true });
    return item && toConnection(item);
  }

  async save(connection: Connection, audit?: ConnectionAudit, template?: string): Promise<boolean> {
    const item = toItem(connection);
    const condition: Condition =
      connection.version === 1 ? { absent: 'pk' } : { eq: ['version', connection.version - 1] };
    if (!audit && template === undefined) return (await putWithNonce(this.#table, item, condition)).ok;
    const others = [
      ...(audit ? [{ put: auditItem(connection, audit) }] : []),
      ...(template === undefined ? [] : templateCheckWrites(connection.org_id, template)),
    ];
    const written = await this.#table.transact([{ put: item, condition }, ...others], randomText(32));
    return written.ok;
  }

  async audit(orgId: string, id: string, from: number, limit: number): Promise<readonly ConnectionAudit[]> {
    const { pk, sk } = keys.connectionAudit(orgId, id, from);
    const page = await this.#table.query({ pk, range: { le: sk }, limit, newestFirst: true, consistent: true });
    return page.items.map((item) => fromItem<ConnectionAudit>(item));
  }
}

/** Each connection's own totals. Earlier connections with the same id have their own, in the same partition. */
function currentCalls(items: readonly Item[], connections: readonly Connection[]): RoutingData['calls'] {
  const generations = new Map(connections.map(({ id, generation }) => [id, generation]));
  const own = items.filter(
    ({ connection_id, generation = '1' }) => String(generations.get(String(connection_id))) === generation,
  );
  return new Map(own.map((item) => [String(item.connection_id), toCallTotals(item)]));
}

function toItem(connection: Connection): Item {
  const { org_id, id } = connection;
  const due = purgeAt(connection)?.toISOString();
  return {
    ...(connection as unknown as Item),
    ...keys.connection(org_id, id),
    item_type: 'connection',
    ...dueEntry(due, id),
  };
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

const toConnection = (item: Item): Connection => ({
  ...fromItem<Connection>(item),
  audits: Number(item.audits ?? 0),
  used_by_rules: Number(item.used_by_rules ?? 0),
  generation: Number(item.generation ?? 1),
  former: (item.former ?? []) as Connection['former'],
});

/** Organizations of an older release have no such attribute. */
export const sameRequestedName = ({ requested_legal_name: name = null }: Organization): Condition =>
  name === null
    ? { any: [{ absent: 'requested_legal_name' }, { eq: ['requested_legal_name', null] }] }
    : { eq: ['requested_legal_name', name] };

/** Also indexed in the list of all organizations, and by KYC state, for the platform's administrators. */
export const organizationItem = (organization: Organization): Item => ({
  ...keys.organization(organization.id),
  item_type: 'organization',
  ...organization,
  list_pk: indexKeys.organizations(shardOf(organization.id, LIST_SHARDS)),
  list_sk: creationPosition(organization),
  ...kycEntry(organization),
});

/** Partial writes use this, so that the lists' index keys stay correct. */
export const organizationChange = (
  before: Organization,
  changed: Partial<Omit<Organization, 'id' | 'created_at'>>,
): ItemChange => ({
  set: { ...changed, ...(changed.kyc && kycEntry({ ...before, kyc: changed.kyc })) },
});

const kycEntry = (organization: Organization) => ({
  status_pk: indexKeys.organizationsByKyc(organization.kyc, shardOf(organization.id, LIST_SHARDS)),
  status_sk: creationPosition(organization),
});

export const toOrganization = (item: Item): Organization => {
  const { id, name, legal_name, requested_legal_name, kyc, plan, created_at, renamed_by, settings } =
    item as unknown as Organization;
  const added = {
    ...(requested_legal_name && { requested_legal_name }),
    ...(renamed_by && { renamed_by }),
    ...(settings && { settings }),
  };
  return { id, name, legal_name, kyc, plan, created_at, ...added };
};
