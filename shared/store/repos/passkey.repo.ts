import {
  CHALLENGE_LIFE,
  type Passkey,
  type PasskeyChallenge,
  type PasskeyUse,
} from '#shared/domain/accounts/passkey.model.ts';
import type { User } from '#shared/domain/accounts/user.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import { plainHash, randomText } from '#shared/kernel/ids.ts';
import type { PasskeysPort } from '#shared/ports/passkeys.port.ts';
import type { Item, Key, TablePort, Write } from '#shared/ports/table.port.ts';
import { allPages } from '#shared/store/all-pages.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { keys } from '#shared/store/keys.ts';

/** Passkeys are stored with their user; the owner of one is found by the hash of its id. */
export class PasskeyRepo implements PasskeysPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async openChallenge(challenge: PasskeyChallenge, at: Date): Promise<void> {
    await certainPut(
      this.#table,
      { ...challengeItem(challenge, at), expires_at: plus(at, CHALLENGE_LIFE).toISOString() },
      { absent: 'pk' },
    );
  }

  async takeChallenge(challenge: PasskeyChallenge, at: Date): Promise<boolean> {
    const used = { ...challengeItem(challenge, at), used_at: at.toISOString() };
    return (
      await certainPut(this.#table, used, {
        all: [{ eq: ['user_id', challenge.user_id] }, { gt: ['expires_at', at.toISOString()] }],
      })
    ).ok;
  }

  async find(id: string): Promise<Passkey | undefined> {
    const owner = await this.#table.get(keys.passkey(plainHash(id)), { consistent: true });
    // Read in either case, so that an unknown passkey takes the same time.
    const item = await this.#table.get(placeOf({ id, user_id: String(owner?.user_id) }), { consistent: true });
    return item && toPasskey(item);
  }

  async listOf(userId: string): Promise<readonly Passkey[]> {
    const items = await allPages(this.#table, {
      pk: keys.user(userId).pk,
      range: { prefix: 'passkey#' },
      limit: 200,
      consistent: true,
    });
    return items.map(toPasskey).sort((a, b) => a.created_at.localeCompare(b.created_at));
  }

  async add(passkey: Passkey, user: User): Promise<'done' | 'taken' | 'raced'> {
    const { id, user_id } = passkey;
    const written = await this.#table.transact(
      [
        { put: { ...keys.passkey(plainHash(id)), item_type: 'passkey_owner', user_id }, cond: { absent: 'pk' } },
        { put: { ...(passkey as unknown as Item), ...placeOf(passkey), item_type: 'passkey' }, cond: { absent: 'pk' } },
        { update: keys.user(user_id), change: { add: { version: 1 } }, cond: { eq: ['version', user.version] } },
      ],
      randomText(32),
    );
    if (written.ok) return 'done';
    return written.failed.some(({ index }) => index === 0) ? 'taken' : 'raced';
  }

  async remove(userId: string, id: string): Promise<boolean> {
    const place = placeOf({ id, user_id: userId });
    const writes: readonly Write[] = [
      { delete: keys.passkey(plainHash(id)) },
      { delete: place, cond: { exists: 'pk' } },
    ];
    return (await this.#table.transact(writes, randomText(32))).ok;
  }
}

const placeOf = ({ id, user_id }: Pick<Passkey, 'id' | 'user_id'>): Key => keys.passkeyOfUser(user_id, plainHash(id));

/** Kept for a while after its use, which nothing else records. */
const challengeItem = ({ text, user_id }: PasskeyChallenge, at: Date): Item => ({
  ...keys.passkeyChallenge(plainHash(text)),
  item_type: 'passkey_challenge',
  user_id,
  ttl: Math.ceil(plus(at, 2 * CHALLENGE_LIFE).getTime() / 1_000),
});

const toPasskey = (item: Item): Passkey => {
  const { id, user_id, name, public_key, counter, transports, created_at, last_used_at } = item as unknown as Passkey;
  return { id, user_id, name, public_key, counter, transports, created_at, last_used_at };
};

/**
 * Part of the sign-in transaction. A cloned key counts separately from its device: a counter value that was reached is
 * not accepted again.
 */
export const usePasskey = (use: PasskeyUse, at: string): Write => ({
  update: placeOf(use),
  change: { set: { counter: use.counter, last_used_at: at } },
  cond: use.counter === 0 ? { eq: ['counter', 0] } : { lt: ['counter', use.counter] },
});
