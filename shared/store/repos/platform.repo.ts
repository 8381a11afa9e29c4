import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import type { PlatformAct, PlatformAdmin } from '#shared/domain/accounts/platform.model.ts';
import type { PlatformRole } from '#shared/domain/reference/roles.catalog.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type {
  ActDone,
  ActsWhere,
  AdminChange,
  OrganizationsWhere,
  PlatformActor,
  PlatformPort,
  VerdictChange,
} from '#shared/ports/platform.port.ts';
import type { Cond, TablePort, Write } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { keys } from '#shared/store/keys.ts';
import { organizationChange } from '#shared/store/repos/organization.entity.ts';
import { actItem, adminItem, toAdmin } from '#shared/store/repos/platform.entity.ts';
import { listActs } from '#shared/store/repos/platform-acts.ts';
import { listOrganizations } from '#shared/store/repos/platform-organizations.ts';
import { firstWrites } from '#shared/store/repos/user.entity.ts';

/** The platform's administrators, few and in one partition; each of their acts is written with its audit entry. */
export class PlatformRepo implements PlatformPort {
  readonly #table: TablePort;
  readonly #hashSecret: string;
  constructor(table: TablePort, hashSecret: string) {
    this.#table = table;
    this.#hashSecret = hashSecret;
  }

  async roleOf(userId: string): Promise<PlatformRole | undefined> {
    const item = await this.#table.get(keys.platformAdmin(userId), { consistent: true });
    return item && toAdmin(item).role;
  }

  async admins(): Promise<readonly PlatformAdmin[]> {
    const { pk, sk } = keys.platformAdmin('');
    return (await allPages(this.#table, { pk, range: { prefix: sk }, limit: 1_000, consistent: true })).map(toAdmin);
  }

  /**
   * A transaction may name an item only once: the target and the staying owner are not checked again where they are the
   * actor.
   */
  async changeAdmin(
    { before, after, staying, newUser }: AdminChange,
    act: PlatformAct,
    actor: PlatformActor,
  ): Promise<ActDone> {
    const onSelf = act.target.id === actor.user_id;
    if (onSelf && before?.role !== actor.role) return 'demoted';
    const cond: Cond = before ? { eq: ['role', before.role] } : { absent: 'pk' };
    const write: Write = after ? { put: adminItem(after), cond } : { delete: keys.platformAdmin(act.target.id), cond };
    const stays = staying && staying.user_id !== actor.user_id ? [stillThere(staying)] : [];
    return this.#act(act, onSelf ? [] : [stillThere(actor)], [
      write,
      ...stays,
      ...(newUser ? firstWrites(this.#hashSecret, newUser) : []),
    ]);
  }

  changeOrganization(
    before: Organization,
    change: VerdictChange,
    act: PlatformAct,
    actor: PlatformActor,
  ): Promise<ActDone> {
    const asRead: Cond[] = [
      { eq: ['kyc', before.kyc] },
      { eq: ['plan', before.plan] },
      { eq: ['legal_name', before.legal_name] },
    ];
    const update: Write = {
      update: keys.organization(before.id),
      change: organizationChange(before, change),
      cond: { all: asRead },
    };
    return this.#act(act, [stillThere(actor)], [update]);
  }

  organizations(where: OrganizationsWhere): Promise<ListPage<Organization>> {
    return listOrganizations(this.#table, where);
  }

  acts(where: ActsWhere): Promise<ListPage<PlatformAct>> {
    return listActs(this.#table, where);
  }

  async #act(act: PlatformAct, byActor: readonly Write[], writes: readonly Write[]): Promise<ActDone> {
    const written = await this.#table.transact(
      [{ put: actItem(act), cond: { absent: 'pk' } }, ...byActor, ...writes],
      randomText(32),
    );
    if (written.ok) return 'done';
    const failed = (from: number, to: number) => written.failed.some(({ index }) => index >= from && index < to);
    if (failed(0, 1)) return 'repeated';
    return failed(1, 1 + byActor.length) ? 'demoted' : 'raced';
  }
}

const stillThere = ({ user_id, role }: PlatformActor): Write => ({
  check: keys.platformAdmin(user_id),
  cond: { eq: ['role', role] },
});
