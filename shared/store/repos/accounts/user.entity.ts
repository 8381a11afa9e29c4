import type { User } from '#shared/domain/accounts/user.model.ts';
import { normalizeEmail } from '#shared/domain/reference/email.rules.ts';
import { keyedHash } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import { type KeyOf, newHashedWrites } from '#shared/store/hashed-keys.ts';
import { keys } from '#shared/store/keys.ts';
import type { Item, Write } from '#shared/store/table/table.port.ts';

export const userItem = (user: User): Item => ({
  ...(user as unknown as Item),
  ...keys.user(user.id),
  item_type: 'user',
});

export const toUser = (item: Item): User => {
  const { id, email, totp, created_at, version } = item as unknown as User;
  return { id, email, totp, created_at, version };
};

/** The item of a mail address, by a hash made with this secret. */
export const mailAddressKey =
  (email: string): KeyOf =>
  (hashSecret) =>
    keys.mailAddress(keyedHash(hashSecret, 'mail address', normalizeEmail(email)).toString('hex'));

/** A user, with the item that reserves their address. */
export const newUserWrites = (config: HashConfig, user: User): readonly Write[] => [
  { put: userItem(user), condition: { absent: 'pk' } },
  ...newHashedWrites(config, mailAddressKey(user.email), { item_type: 'mail_address', user_id: user.id }),
];
