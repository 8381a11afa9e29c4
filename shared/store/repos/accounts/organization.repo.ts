import type { Organization, OrganizationSettings } from '#shared/domain/accounts/organization.model.ts';
import type { OrganizationNames } from '#shared/domain/accounts/organization.rules.ts';
import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import type { OrganizationsPort, RoutingData } from '#shared/ports/organizations.port.ts';
import type { AuditQuery } from '#shared/ports/platform.port.ts';
import { keys } from '#shared/store/keys.ts';
import { getAll } from '#shared/store/read-all.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import { auditWrite, listAuditEntries } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import {
  organizationChange,
  organizationItem,
  sameRequestedName,
  toOrganization,
} from '#shared/store/repos/accounts/organization.entity.ts';
import { readRoutingSummary } from '#shared/store/repos/reporting/routing-summary.repo.ts';
import { RoutingSnapshots } from '#shared/store/repos/routing/routing-snapshots.ts';
import { writeSetup } from '#shared/store/repos/routing/write-setup.ts';
import type { Condition, TablePort, Write } from '#shared/store/table/table.port.ts';
import { createOnce } from '#shared/store/versioned-repo.ts';

/** Organizations, and what their payments read. */
export class OrganizationRepo implements OrganizationsPort {
  readonly #table: TablePort;
  readonly #snapshots: RoutingSnapshots;
  readonly #recent = new RecentReads<Organization | undefined>(MINUTE);
  constructor(table: TablePort) {
    this.#table = table;
    this.#snapshots = new RoutingSnapshots(table);
  }

  create(organization: Organization): Promise<Organization> {
    return createOnce(this.#table, { toItem: organizationItem, fromItem: toOrganization }, organization);
  }

  /** The snapshot is consistent: a new connection can take the very next payment. */
  async routingData(orgId: string): Promise<RoutingData> {
    const [snapshot, summary] = await Promise.all([
      this.#snapshots.read(orgId),
      readRoutingSummary(this.#table, orgId),
    ]);
    return { ...snapshot, ...summary };
  }

  async byId(orgId: string): Promise<Organization | undefined> {
    const item = await this.#table.get(keys.organization(orgId), { consistent: true });
    return item && toOrganization(item);
  }

  recent(orgId: string, at: Date, since: Date): Promise<Organization | undefined> {
    return this.#recent.read(orgId, at, () => this.byId(orgId), since);
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
    return (await writeSetup(this.#table, before.id, [write, ...(audit ? [auditWrite(audit)] : [])])).ok;
  }

  async changeSettings({ id, settings }: Organization, changed: OrganizationSettings): Promise<boolean> {
    const unchanged: Condition = settings ? { eq: ['settings', settings] } : { absent: 'settings' };
    const write: Write = {
      update: keys.organization(id),
      change: { set: { settings: changed } },
      condition: { all: [{ exists: 'pk' }, unchanged] },
    };
    return (await writeSetup(this.#table, id, [write])).ok;
  }

  auditEntries(orgId: string, query: AuditQuery): Promise<ListPage<OrganizationAuditEntry>> {
    return listAuditEntries(this.#table, keys.organizationAuditEntry(orgId, '').pk, query);
  }
}
