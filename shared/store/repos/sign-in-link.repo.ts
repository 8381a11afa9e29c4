import { LINK_LIFE, MOST_WRONG_CODES, type SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import { plus } from '#shared/kernel/clock.ts';
import type { Cond, Item, TablePort, Write } from '#shared/ports/table.port.ts';
import type { SignInLinksPort } from '#shared/ports/users.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { keys } from '#shared/store/keys.ts';

/** Mailed links, found by their token's hash. */
export class SignInLinkRepo implements SignInLinksPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async create(link: SignInLink, at: Date): Promise<void> {
    const ttl = Math.ceil(plus(at, 2 * LINK_LIFE).getTime() / 1_000);
    await certainPut(
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
  Number(item.wrong_codes) < MOST_WRONG_CODES;

const toLink = (item: Item): SignInLink => {
  const { hash, email, expires_at, wrong_codes } = item as unknown as SignInLink;
  return { hash, email, expires_at, wrong_codes };
};

/** Uses it up once; part of the sign-in transaction. */
export const useLink = ({ hash }: SignInLink, at: string): Write => {
  const open: Cond[] = [{ absent: 'used_at' }, { gt: ['expires_at', at] }, { lt: ['wrong_codes', MOST_WRONG_CODES] }];
  return { update: keys.signInLink(hash), change: { set: { used_at: at } }, cond: { all: open } };
};
