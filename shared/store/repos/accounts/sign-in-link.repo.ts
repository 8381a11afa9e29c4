import { MAX_WRONG_CODES, SIGN_IN_LINK_LIFETIME, type SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { SignInLinksPort } from '#shared/ports/users.port.ts';
import { keys } from '#shared/store/keys.ts';
import { putWithNonce } from '#shared/store/put-with-nonce.ts';
import type { Condition, Item, TablePort, Write } from '#shared/store/table/table.port.ts';

/** Links in mails, found by their token's hash. */
export class SignInLinkRepo implements SignInLinksPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async create(link: SignInLink, at: Date): Promise<void> {
    const ttl = Math.ceil(plus(at, 2 * SIGN_IN_LINK_LIFETIME).getTime() / 1_000);
    await putWithNonce(
      this.#table,
      { ...keys.signInLink(link.hash), item_type: 'sign_in_link', ...link, ttl },
      { absent: 'pk' },
    );
  }

  async get(hash: string, at: Date): Promise<SignInLink | undefined> {
    const item = await this.#table.get(keys.signInLink(hash), { consistent: true });
    return item && isOpen(item, at) ? toLink(item) : undefined;
  }

  async countWrongCode({ hash }: SignInLink): Promise<void> {
    await this.#table.update(keys.signInLink(hash), { add: { wrong_codes: 1 } }, { absent: 'used_at' });
  }
}

const isOpen = (item: Item, at: Date): boolean =>
  item.used_at === undefined &&
  String(item.expires_at) > at.toISOString() &&
  Number(item.wrong_codes) < MAX_WRONG_CODES;

const toLink = (item: Item): SignInLink => {
  const { hash, email, expires_at, wrong_codes } = item as unknown as SignInLink;
  return { hash, email, expires_at, wrong_codes };
};

/** Part of the sign-in transaction: a link works once. */
export const linkUseWrite = ({ hash }: SignInLink, at: string): Write => {
  const open: Condition[] = [
    { absent: 'used_at' },
    { gt: ['expires_at', at] },
    { lt: ['wrong_codes', MAX_WRONG_CODES] },
  ];
  return { update: keys.signInLink(hash), change: { set: { used_at: at } }, condition: { all: open } };
};
