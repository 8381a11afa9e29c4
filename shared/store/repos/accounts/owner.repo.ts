import type { Owner } from '#shared/domain/accounts/organization.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { OwnersPort } from '#shared/ports/users.port.ts';
import { keys } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import type { Key, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Owners of bootstrapped organizations. Found by mail address, because sign-in knows nothing else. */
export class OwnerRepo implements OwnersPort {
  readonly #table: TablePort;
  readonly #config: HashConfig;
  constructor(table: TablePort, config: HashConfig) {
    this.#table = table;
    this.#config = config;
  }

  async record({ email, org_id, created_at }: Owner): Promise<boolean> {
    const item = {
      ...keyOf(this.#config.hashSecret, email),
      item_type: 'owner',
      email: normalizeEmail(email),
      org_id,
      created_at,
    };
    return (await putWithNonce(this.#table, item, { absent: 'pk' })).ok;
  }

  async byEmail(address: string): Promise<Owner | undefined> {
    const item = await this.#table.get(keyOf(this.#config.hashSecret, address), { consistent: true });
    if (!item) return undefined;
    const { email, org_id, created_at, taken_up_at } = item as unknown as Owner;
    return { email, org_id, created_at, ...(taken_up_at !== undefined && { taken_up_at }) };
  }
}

const keyOf = (hashSecret: string, email: string): Key =>
  keys.owner(keyedHash(hashSecret, 'owner', normalizeEmail(email)).toString('hex'));

/**
 * Marks the first sign-in of an owner, in the transaction that signs in. It fails if the owner has signed in before.
 */
export const ownerSignInWrite = (hashSecret: string, { email }: Owner, at: string): Write => ({
  update: keyOf(hashSecret, email),
  change: { set: { taken_up_at: at } },
  condition: { all: [{ exists: 'pk' }, { absent: 'taken_up_at' }] },
});
