import type { Recovery } from '#shared/domain/accounts/recovery.model.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { PlatformChangeResult } from '#shared/ports/platform.port.ts';
import type { RecoveriesPort, RecoveryChange } from '#shared/ports/recoveries.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import { passkeyKeys } from '#shared/store/repos/accounts/passkey.repo.ts';
import { auditItem } from '#shared/store/repos/accounts/platform.repo.ts';
import { linkUseWrite } from '#shared/store/repos/accounts/sign-in-link.repo.ts';
import { userItem } from '#shared/store/repos/accounts/user.entity.ts';
import type { Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Recoveries of accounts: few, and in one partition. Each change is written with its audit entry. */
export class RecoveryRepo implements RecoveriesPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(userId: string): Promise<Recovery | undefined> {
    const item = isId('user', userId) ? await this.#table.get(keys.recovery(userId), { consistent: true }) : undefined;
    return item && toRecovery(item);
  }

  async list(): Promise<readonly Recovery[]> {
    const items = await queryAll(this.#table, { ...ranges.recoveries(), limit: 1_000, consistent: true });
    return items.map(toRecovery);
  }

  async save(
    { recovery, entry, actor, link, finish, audits = [] }: RecoveryChange,
    at: Date,
  ): Promise<PlatformChangeResult> {
    const { version } = recovery;
    const actorCheck: readonly Write[] = actor
      ? [{ check: keys.platformAdmin(actor.user_id), condition: { eq: ['role', actor.role] } }]
      : [];
    const writes: readonly Write[] = [
      { put: auditItem(entry), condition: { absent: 'pk' } },
      ...actorCheck,
      { put: toItem(recovery), condition: version === 1 ? { absent: 'pk' } : { eq: ['version', version - 1] } },
      ...(link ? [linkUseWrite(link, at.toISOString())] : []),
      ...(finish ? finishWrites(finish) : []),
      ...audits.map(auditWrite),
    ];
    const written = await this.#table.transact(writes, randomText(32));
    if (written.ok) return 'done';
    if (written.failed.some(({ index }) => index === 0)) return 'repeated';
    return actor && written.failed.some(({ index }) => index === 1) ? 'demoted' : 'conflict';
  }
}

const finishWrites = ({ user, passkeyIds }: NonNullable<RecoveryChange['finish']>): readonly Write[] => [
  { put: userItem(user), condition: { eq: ['version', user.version - 1] } },
  ...passkeyIds.flatMap((id) => passkeyKeys({ id, user_id: user.id }).map((key): Write => ({ delete: key }))),
];

const toItem = (recovery: Recovery): Item => ({
  ...(recovery as unknown as Item),
  ...keys.recovery(recovery.user_id),
  item_type: 'recovery',
});

function toRecovery(item: Item): Recovery {
  const { user_id, email, status, requested_at, approvals, usable_from, expires_at, token_hash, version } =
    item as unknown as Recovery;
  return { user_id, email, status, requested_at, approvals, usable_from, expires_at, token_hash, version };
}
