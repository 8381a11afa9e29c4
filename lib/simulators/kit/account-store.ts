import type { DatabaseSync } from 'node:sqlite';
import type { SimulatorsOptions } from '#lib/simulators/simulators.port.ts';
import type { Provider } from '#shared/domain/routing/connection.model.ts';

type MerchantAccount = {
  readonly name: string;
  readonly publicId: string | null;
  readonly webhookSecrets: readonly string[];
  /** Of the address that is registered for webhooks, with its question mark; empty for the bare path. */
  readonly webhookQuery: string;
};

const MAX_SECRETS = 16;

/** What merchants set up in a PSP's dashboard. Webhook secrets are encrypted in the file and plain only in memory. */
export class AccountStore {
  readonly #protect: SimulatorsOptions['protect'];
  readonly #put;
  readonly #get;
  readonly #decrypted = new Map<string, MerchantAccount>();
  constructor(database: DatabaseSync, protect: SimulatorsOptions['protect']) {
    this.#protect = protect;
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO accounts (provider, account, name, public_id, secrets, query) VALUES (?, ?, ?, ?, ?, ?)',
    );
    this.#get = database.prepare(
      'SELECT name, public_id, secrets, query FROM accounts WHERE provider = ? AND account = ?',
    );
  }
  /** Several connections may share an account, so earlier webhook secrets stay valid, up to a limit. */
  register(provider: Provider, account: string, merchant: MerchantAccount): void {
    const { name, publicId, webhookSecrets, webhookQuery } = merchant;
    const before = this.find(provider, account)?.webhookSecrets ?? [];
    const secrets = [...new Set([...webhookSecrets, ...before])].slice(0, MAX_SECRETS);
    this.#put.run(provider, account, name, publicId, this.#protect.seal(JSON.stringify(secrets)), webhookQuery);
    this.#decrypted.delete(`${provider} ${account}`);
  }
  find(provider: Provider, account: string): MerchantAccount | undefined {
    const key = `${provider} ${account}`;
    const known = this.#decrypted.get(key) ?? this.#read(provider, account);
    if (known) this.#decrypted.set(key, known);
    return known;
  }
  #read(provider: Provider, account: string): MerchantAccount | undefined {
    const row = this.#get.get(provider, account);
    if (!row) return undefined;
    const publicId = typeof row.public_id === 'string' ? row.public_id : null;
    return {
      name: String(row.name),
      publicId,
      webhookSecrets: JSON.parse(this.#protect.open(String(row.secrets))),
      webhookQuery: String(row.query ?? ''),
    };
  }
}
