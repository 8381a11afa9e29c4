import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { UNDO_LINK_LIFETIME, type UndoLink } from '#shared/domain/accounts/sign-in.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { UndoLinksPort, UndoRecord } from '#shared/ports/users.port.ts';
import { keys } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import { passkeyItems, passkeyKeys } from '#shared/store/repos/accounts/passkey.repo.ts';
import { userItem } from '#shared/store/repos/accounts/user.entity.ts';
import type { Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/**
 * Links that undo a change of how a user signs in; the mail about the change contains one. Found by the hash of their
 * token. What is needed to undo the change is stored in the link, and deleted with it.
 */
export class UndoLinkRepo implements UndoLinksPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async create(link: UndoLink, at: Date): Promise<void> {
    const ttl = Math.ceil(plus(at, UNDO_LINK_LIFETIME).getTime() / 1_000);
    const item = { ...(link as unknown as Item), ...keys.undoLink(link.hash), item_type: 'undo_link', ttl };
    await putWithNonce(this.#table, item, { absent: 'pk' });
  }

  async get(hash: string, at: Date): Promise<UndoLink | undefined> {
    const item = await this.#table.get(keys.undoLink(hash), { consistent: true });
    if (!item || item.used_at !== undefined || String(item.expires_at) <= at.toISOString()) return undefined;
    const { user_id, change, expires_at } = item as unknown as UndoLink;
    return { hash, user_id, change, expires_at };
  }

  async use(
    { link, user, addedPasskey, removedPasskeyId }: UndoRecord,
    at: Date,
    audits: readonly OrganizationAuditEntry[] = [],
  ): Promise<boolean> {
    const removed = removedPasskeyId === undefined ? [] : passkeyKeys({ id: removedPasskeyId, user_id: user.id });
    const writes: readonly Write[] = [
      {
        update: keys.undoLink(link.hash),
        change: { set: { used_at: at.toISOString() } },
        condition: { all: [{ absent: 'used_at' }, { gt: ['expires_at', at.toISOString()] }] },
      },
      { put: userItem(user), condition: { eq: ['version', user.version - 1] } },
      ...(addedPasskey ? passkeyItems(addedPasskey).map((put): Write => ({ put, condition: { absent: 'pk' } })) : []),
      ...removed.map((key): Write => ({ delete: key })),
      ...audits.map(auditWrite),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }
}
