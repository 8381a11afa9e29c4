import type { ReceiverConfig } from '#shared/domain/receiver-config.model.ts';
import type { ReceiversPort } from '#shared/ports/stores.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';

export class ReceiverRepo implements ReceiversPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string): Promise<ReceiverConfig | undefined> {
    const item = await this.#table.get(keys.receiver(orgId), { consistent: true });
    if (!item) return undefined;
    const { org_id, url, events, enabled, sealed_secret, created_at, updated_at } = item as unknown as ReceiverConfig;
    return { org_id, url, events, enabled, sealed_secret, created_at, updated_at };
  }

  /** Two first configurations at once must not make two secrets: the second one finds the first. */
  async save(config: ReceiverConfig, created: boolean): Promise<boolean> {
    const item = { ...(config as unknown as Item), ...keys.receiver(config.org_id), item_type: 'receiver' };
    const written = await this.#table.put(item, created ? { absent: 'pk' } : { eq: ['sealed_secret', config.sealed_secret] });
    return written.ok;
  }
}
