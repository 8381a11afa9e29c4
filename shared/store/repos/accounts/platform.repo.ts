import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { auditOfReview } from '#shared/domain/accounts/organization-audit.rules.ts';
import type { PlatformAdmin, PlatformAuditEntry } from '#shared/domain/accounts/platform.model.ts';
import { describeRoleChange } from '#shared/domain/accounts/platform.rules.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import type { PlatformRole } from '#shared/domain/reference/access.catalog.ts';
import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import { newId, randomText } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type {
  AdminChange,
  AuditQuery,
  OrganizationChange,
  OrganizationsQuery,
  PlatformActor,
  PlatformChangeResult,
  PlatformPort,
} from '#shared/ports/platform.port.ts';
import { indexKeys, keys, LIST_SHARDS, ranges, shards } from '#shared/store/keys.ts';
import { type ListSource, readEntries } from '#shared/store/list-records.ts';
import { getAll, queryAll } from '#shared/store/read-all.ts';
import { auditWrite, listAuditEntries } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import {
  organizationChange,
  sameRequestedName,
  toOrganization,
} from '#shared/store/repos/accounts/organization.entity.ts';
import { newUserWrites } from '#shared/store/repos/accounts/user.entity.ts';
import { writeSetup } from '#shared/store/repos/routing/write-setup.ts';
import type {
  Condition,
  IndexEntry,
  Item,
  Json,
  TablePort,
  TransactResult,
  Write,
} from '#shared/store/table/table.port.ts';

/** The platform's administrators, few and in one partition. Each change they make is written with its audit entry. */
export class PlatformRepo implements PlatformPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async roleOf(userId: string): Promise<PlatformRole | undefined> {
    const item = await this.#table.get(keys.platformAdmin(userId), { consistent: true });
    return item && toAdmin(item).role;
  }

  async admins(): Promise<readonly PlatformAdmin[]> {
    const items = await queryAll(this.#table, { ...ranges.platformAdmins(), limit: 1_000, consistent: true });
    return items.map(toAdmin);
  }

  /** A transaction may name an item only once, so the actor is not checked again as target or remaining owner. */
  async changeAdmin(
    { before, after, remainingOwner, newUser }: AdminChange,
    entry: PlatformAuditEntry,
    actor: PlatformActor,
  ): Promise<PlatformChangeResult> {
    const onSelf = entry.target.id === actor.user_id;
    if (onSelf && before?.role !== actor.role) return 'demoted';
    const condition: Condition = before ? { eq: ['role', before.role] } : { absent: 'pk' };
    const write: Write = after
      ? { put: adminItem(after), condition }
      : { delete: keys.platformAdmin(entry.target.id), condition };
    const ownerStays = remainingOwner && remainingOwner.user_id !== actor.user_id ? [roleCheck(remainingOwner)] : [];
    return this.#change(entry, onSelf ? [] : [roleCheck(actor)], [
      write,
      ...ownerStays,
      ...(newUser ? newUserWrites(this.#config, newUser) : []),
    ]);
  }

  changeOrganization(
    before: Organization,
    change: OrganizationChange,
    entry: PlatformAuditEntry,
    actor: PlatformActor,
  ): Promise<PlatformChangeResult> {
    const unchanged: Condition[] = [
      { eq: ['kyc', before.kyc] },
      { eq: ['plan', before.plan] },
      { eq: ['legal_name', before.legal_name] },
      sameRequestedName(before),
      ...(change.capacity ? [sameValue('capacity', before.capacity)] : []),
      ...(change.rate ? [sameValue('rate', before.rate)] : []),
    ];
    const update: Write = {
      update: keys.organization(before.id),
      change: organizationChange(before, change),
      condition: { all: unchanged },
    };
    const audit = auditOfReview(before, entry);
    const write = (all: readonly Write[]) => writeSetup(this.#table, before.id, all);
    return this.#change(entry, [roleCheck(actor)], [update, ...(audit ? [auditWrite(audit)] : [])], write);
  }

  async operate(
    entry: PlatformAuditEntry,
    change?: { readonly before: Organization; readonly quarantined_at: string | null },
  ): Promise<boolean> {
    const log: Write = { put: auditItem(entry), condition: { absent: 'pk' } };
    if (!change) return (await this.#table.transact([log], randomText(32))).ok;
    const { before, quarantined_at } = change;
    const update: Write = {
      update: keys.organization(before.id),
      change: quarantined_at === null ? { remove: ['quarantined_at'] } : { set: { quarantined_at } },
      condition: { all: [{ exists: 'pk' }, sameValue('quarantined_at', before.quarantined_at)] },
    };
    return (await writeSetup(this.#table, before.id, [update, log])).ok;
  }

  organizations(query: OrganizationsQuery): Promise<ListPage<Organization>> {
    return listOrganizations(this.#table, query);
  }

  auditEntries(query: AuditQuery): Promise<ListPage<PlatformAuditEntry>> {
    return listAuditEntries(this.#table, keys.platformAuditEntry('').pk, query);
  }

  async #change(
    entry: PlatformAuditEntry,
    actorChecks: readonly Write[],
    writes: readonly Write[],
    write = (all: readonly Write[]): Promise<TransactResult> => this.#table.transact(all, randomText(32)),
  ): Promise<PlatformChangeResult> {
    const entryWrite: Write = { put: auditItem(entry), condition: { absent: 'pk' } };
    const written = await write([entryWrite, ...actorChecks, ...writes]);
    if (written.ok) return 'done';
    const failed = (from: number, to: number) => written.failed.some(({ index }) => index >= from && index < to);
    if (failed(0, 1)) return 'repeated';
    return failed(1, 1 + actorChecks.length) ? 'demoted' : 'conflict';
  }
}

const sameValue = (attribute: string, value: Json | undefined): Condition =>
  value === undefined ? { absent: attribute } : { eq: [attribute, value] };

const roleCheck = ({ user_id, role }: PlatformActor): Write => ({
  check: keys.platformAdmin(user_id),
  condition: { eq: ['role', role] },
});

const adminItem = (admin: PlatformAdmin): Item => ({
  ...keys.platformAdmin(admin.user_id),
  item_type: 'platform_admin',
  ...admin,
});

const toAdmin = (item: Item): PlatformAdmin => {
  const { user_id, email, role, created_at } = item as unknown as PlatformAdmin;
  return { user_id, email, role, created_at };
};

export const auditItem = (entry: PlatformAuditEntry): Item => ({
  ...keys.platformAuditEntry(entry.id),
  item_type: 'platform_act',
  ...(entry as unknown as Item),
});

/** Newest first: merges the shards of the narrowest index. Costs the page, and keys for the skipped offset. */
async function listOrganizations(table: TablePort, where: OrganizationsQuery): Promise<ListPage<Organization>> {
  const { limit, offset, cursor, kyc } = where;
  const onPage: IndexEntry[] = [];
  for await (const entry of readEntries(table, sourceOf(kyc), {
    before: cursor,
    floor: '',
    skip: offset,
    wanted: offset + limit + 1,
  })) {
    onPage.push(entry);
    if (onPage.length > limit) break;
  }
  const found = await getAll(table, onPage.slice(0, limit));
  // Index entries lag behind: the KYC state may have changed since.
  const fits = (organization: Organization) => kyc === undefined || organization.kyc === kyc;
  return {
    items: found.flatMap((item) => (item ? [toOrganization(item)] : [])).filter(fits),
    next: onPage.length > limit ? onPage[limit - 1]?.at : undefined,
  };
}

const sourceOf = (kyc: Organization['kyc'] | undefined): ListSource => ({
  index: kyc === undefined ? 'list' : 'status',
  partitions: shards(LIST_SHARDS).map((n) =>
    kyc === undefined ? indexKeys.organizations(n) : indexKeys.organizationsByKyc(kyc, n),
  ),
  exact: true,
});

/**
 * The writes of a role that the bootstrap command granted, for the transaction that signs in. The audit entry names the
 * user as the actor, because no administrator granted the role.
 */
export async function platformRoleWrites(
  table: TablePort,
  { id, email }: User,
  role: PlatformRole,
  at: string,
): Promise<readonly Write[]> {
  const item = await table.get(keys.platformAdmin(id), { consistent: true });
  const before = item && toAdmin(item);
  const after = { user_id: id, email, role, created_at: before?.created_at ?? at };
  const change = describeRoleChange(before, after);
  const metadata = { ...change.metadata, reason: 'Granted by the bootstrap command, and taken effect at sign-in.' };
  const entry = {
    ...change,
    id: newId('act', new Date(at)),
    actor_id: id,
    actor_email: email,
    metadata,
    created_at: at,
  };
  return [
    { put: adminItem(after), condition: before ? { eq: ['role', before.role] } : { absent: 'pk' } },
    { put: auditItem(entry), condition: { absent: 'pk' } },
  ];
}
