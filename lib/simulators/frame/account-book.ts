import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { SimulatorsOptions } from '#lib/simulators/simulator.port.ts';
import type { Provider } from '#shared/domain/reference/provider.model.ts';

type LearntAccount = {
  readonly name: string;
  readonly publicId: string | null;
  readonly webhookSecrets: readonly string[];
};

const MOST_SECRETS = 16;

/** An account is known by the hash of the credentials that act for it, which themselves are kept nowhere. */
export const accountHash = (identity: string): string => createHash('sha256').update(identity).digest('hex');

/** What merchants set up in a PSP's dashboard. Webhook secrets are sealed in the file and open only in memory. */
export class AccountBook {
  readonly #protect: SimulatorsOptions['protect'];
  readonly #put;
  readonly #get;
  readonly #open = new Map<string, LearntAccount>();
  constructor(database: DatabaseSync, protect: SimulatorsOptions['protect']) {
    this.#protect = protect;
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO accounts (provider, account, name, public_id, secrets) VALUES (?, ?, ?, ?, ?)',
    );
    this.#get = database.prepare('SELECT name, public_id, secrets FROM accounts WHERE provider = ? AND account = ?');
  }
  /** An account may have several endpoints, of one connection or more: what was learnt before stays, up to a limit. */
  learn(provider: Provider, account: string, { name, publicId, webhookSecrets }: LearntAccount): void {
    const before = this.find(provider, account)?.webhookSecrets ?? [];
    const secrets = [...new Set([...webhookSecrets, ...before])].slice(0, MOST_SECRETS);
    this.#put.run(provider, account, name, publicId, this.#protect.seal(JSON.stringify(secrets)));
    this.#open.delete(`${provider} ${account}`);
  }
  find(provider: Provider, account: string): LearntAccount | undefined {
    const place = `${provider} ${account}`;
    const known = this.#open.get(place) ?? this.#read(provider, account);
    if (known) this.#open.set(place, known);
    return known;
  }
  #read(provider: Provider, account: string): LearntAccount | undefined {
    const row = this.#get.get(provider, account);
    if (!row) return undefined;
    const publicId = typeof row.public_id === 'string' ? row.public_id : null;
    return { name: String(row.name), publicId, webhookSecrets: JSON.parse(this.#protect.open(String(row.secrets))) };
  }
}
