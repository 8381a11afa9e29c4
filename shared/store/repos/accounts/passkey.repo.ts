import type { OrganizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import {
  CHALLENGE_LIFETIME,
  type Passkey,
  type PasskeyChallenge,
  type PasskeyUse,
} from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { randomText, sha256Hex } from '#shared/kernel/ids.ts';
import type { PasskeysPort } from '#shared/ports/passkeys.port.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { auditWrite } from '#shared/store/repos/accounts/audit-entry.entity.ts';
import type { Item, Key, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Passkeys are stored with their user; the owner of one is found by the hash of its id. */
export class PasskeyRepo implements PasskeysPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async saveChallenge(challenge: PasskeyChallenge, at: Date): Promise<void> {
    await putWithNonce(
      this.#table,
      { ...challengeItem(challenge, at), expires_at: plus(at, CHALLENGE_LIFETIME).toISOString() },
      { absent: 'pk' },
    );
  }

  async consumeChallenge(challenge: PasskeyChallenge, at: Date): Promise<boolean> {
    const used = { ...challengeItem(challenge, at), used_at: at.toISOString() };
    return (
      await putWithNonce(this.#table, used, {
        all: [{ eq: ['user_id', challenge.user_id] }, { gt: ['expires_at', at.toISOString()] }],
      })
    ).ok;
  }

  async find(id: string): Promise<Passkey | undefined> {
    const owner = await this.#table.get(keys.passkey(sha256Hex(id)), { consistent: true });
    // Read in either case, so that an unknown passkey takes the same time.
    const item = await this.#table.get(keyOf({ id, user_id: String(owner?.user_id) }), { consistent: true });
    return item && toPasskey(item);
  }

  async listByUser(userId: string): Promise<readonly Passkey[]> {
    const items = await queryAll(this.#table, {
      ...ranges.passkeysOfUser(userId),
      limit: 200,
      consistent: true,
    });
    return items.map(toPasskey).sort((a, b) => a.created_at.localeCompare(b.created_at));
  }

  async add(
    passkey: Passkey,
    user: User,
    audits: readonly OrganizationAuditEntry[] = [],
  ): Promise<'done' | 'taken' | 'conflict'> {
    const { user_id } = passkey;
    const written = await this.#table.transact(
      [
        ...passkeyItems(passkey).map((put): Write => ({ put, condition: { absent: 'pk' } })),
        { update: keys.user(user_id), change: { add: { version: 1 } }, condition: { eq: ['version', user.version] } },
        ...audits.map(auditWrite),
      ],
      randomText(32),
    );
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index === 0) ? 'taken' : 'conflict';
  }

  async remove(userId: string, id: string, audits: readonly OrganizationAuditEntry[] = []): Promise<boolean> {
    const [owner, passkeyKey] = passkeyKeys({ id, user_id: userId });
    const writes: readonly Write[] = [
      { delete: owner },
      { delete: passkeyKey, condition: { exists: 'pk' } },
      ...audits.map(auditWrite),
    ];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }
}

const keyOf = ({ id, user_id }: Pick<Passkey, 'id' | 'user_id'>): Key => keys.passkeyOfUser(user_id, sha256Hex(id));

/**
 * The keys of the item that names the owner, and of the passkey itself. Both are always written and deleted together.
 */
export const passkeyKeys = (passkey: Pick<Passkey, 'id' | 'user_id'>): readonly [owner: Key, passkey: Key] => [
  keys.passkey(sha256Hex(passkey.id)),
  keyOf(passkey),
];

export function passkeyItems(passkey: Passkey): readonly [owner: Item, passkey: Item] {
  const [owner, place] = passkeyKeys(passkey);
  return [
    { ...owner, item_type: 'passkey_owner', user_id: passkey.user_id },
    { ...(passkey as unknown as Item), ...place, item_type: 'passkey' },
  ];
}

/** A challenge stays stored for a while after its use, so that it cannot be used twice. */
const challengeItem = ({ text, user_id }: PasskeyChallenge, at: Date): Item => ({
  ...keys.passkeyChallenge(sha256Hex(text)),
  item_type: 'passkey_challenge',
  user_id,
  ttl: Math.ceil(plus(at, 2 * CHALLENGE_LIFETIME).getTime() / 1_000),
});

const toPasskey = (item: Item): Passkey => {
  const { id, user_id, name, public_key, counter, transports, created_at, last_used_at } = item as unknown as Passkey;
  const { created_by = null } = item as unknown as Partial<Passkey>;
  return { id, user_id, name, public_key, counter, transports, created_at, created_by, last_used_at };
};

/**
 * The write of a passkey that was used, for the transaction that signs in. A counter value is accepted only once: a
 * cloned authenticator would repeat it.
 */
export const passkeyUseWrite = (use: PasskeyUse, at: string): Write => ({
  update: keyOf(use),
  change: { set: { counter: use.counter, last_used_at: at } },
  condition: use.counter === 0 ? { eq: ['counter', 0] } : { lt: ['counter', use.counter] },
});
