import type { Owner } from '#shared/domain/accounts/organization.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { keyedHash, randomText } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { OwnersPort } from '#shared/ports/users.port.ts';
import { findHashed, hashedKey, type KeyOf, newHashedWrites } from '#shared/store/hashed-keys.ts';
import { keys } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import type { TablePort, Write } from '#shared/store/table/table.port.ts';

/** Owners of bootstrapped organizations. Found by mail address, because sign-in knows nothing else. */
export class OwnerRepo implements OwnersPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async record({ email, org_id, created_at }: Owner): Promise<boolean> {
    const record = { item_type: 'owner', email: normalizeEmail(email), org_id, created_at };
    const { hashSecret, rotations } = this.#config;
    if (!rotations?.hashSecret)
      return (await putWithNonce(this.#table, { ...ownerKey(email)(hashSecret), ...record }, { absent: 'pk' })).ok;
    return (await this.#table.transact(newHashedWrites(this.#config, ownerKey(email), record), randomText(32))).ok;
  }

  async byEmail(address: string): Promise<Owner | undefined> {
    const item = await findHashed(this.#table, this.#config, ownerKey(address));
    if (!item) return undefined;
    const { email, org_id, created_at, taken_up_at } = item as unknown as Owner;
    return { email, org_id, created_at, ...(taken_up_at !== undefined && { taken_up_at }) };
  }
}

/** The item of an owner, by a hash made with this secret. */
export const ownerKey =
  (email: string): KeyOf =>
  (hashSecret) =>
    keys.owner(keyedHash(hashSecret, 'owner', normalizeEmail(email)).toString('hex'));

/**
 * Marks the first sign-in of an owner, in the transaction that signs in. It fails if the owner has signed in before.
 */
export const ownerSignInWrite = async (
  table: TablePort,
  config: HashConfig,
  { email }: Owner,
  at: string,
): Promise<Write> => ({
  update: await hashedKey(table, config, ownerKey(email)),
  change: { set: { taken_up_at: at } },
  condition: { all: [{ exists: 'pk' }, { absent: 'taken_up_at' }] },
});
