import { MAX_CODE_TRIES, SIGN_IN_LINK_LIFETIME, type SignInLink } from '#shared/domain/accounts/sign-in.model.ts';
import { plus, SECOND } from '#shared/kernel/clock.ts';
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

  async create(link: SignInLink): Promise<void> {
    const ttl = Math.ceil(plus(new Date(link.expires_at), SIGN_IN_LINK_LIFETIME).getTime() / SECOND);
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

  async countCodeTry({ hash }: SignInLink): Promise<boolean> {
    const all: Condition[] = [{ absent: 'used_at' }, { lt: ['wrong_codes', MAX_CODE_TRIES] }];
    return (await this.#table.update(keys.signInLink(hash), { add: { wrong_codes: 1 } }, { all })).ok;
  }
}

const isOpen = (item: Item, at: Date): boolean =>
  item.used_at === undefined && String(item.expires_at) > at.toISOString() && Number(item.wrong_codes) < MAX_CODE_TRIES;

const toLink = (item: Item): SignInLink => {
  const { hash, email, org_id, expires_at, wrong_codes } = item as unknown as SignInLink;
  return { hash, email, ...(org_id !== undefined && { org_id }), expires_at, wrong_codes };
};

/** Part of the sign-in transaction: a link works once. Its last try counted before it was found to be right. */
export const linkUseWrite = ({ hash }: SignInLink, at: string): Write => {
  const open: Condition[] = [
    { absent: 'used_at' },
    { gt: ['expires_at', at] },
    { le: ['wrong_codes', MAX_CODE_TRIES] },
  ];
  return { update: keys.signInLink(hash), change: { set: { used_at: at } }, condition: { all: open } };
};
