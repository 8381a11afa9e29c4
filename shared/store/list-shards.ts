import {
  type ListShardCount,
  listShardsAt,
  MAX_CAPACITY_AGE,
  maxListShards,
} from '#shared/domain/accounts/capacity.rules.ts';
import type { OrganizationCapacity } from '#shared/domain/accounts/organization.model.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { keys, LIST_SHARDS } from '#shared/store/keys.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import type { TablePort } from '#shared/store/table/table.port.ts';

/** Over how many partitions the lists of an organization are spread. Read again every half minute. */
export class ListShards {
  readonly #table: TablePort;
  readonly #clock: Clock;
  readonly #recent = new RecentReads<OrganizationCapacity | undefined>(MAX_CAPACITY_AGE);
  constructor(table: TablePort, clock: Clock) {
    this.#table = table;
    this.#clock = clock;
  }

  /** Those that a list is read from. */
  async all(orgId: string): Promise<ListShardCount> {
    return maxListShards(await this.#capacity(orgId));
  }

  /** A new record, with the number of partitions that it is stored with. Records of most organizations need none. */
  async place<T extends { readonly org_id: string }>(record: T): Promise<T & { readonly list_shards?: number }> {
    const list_shards = listShardsAt(await this.#capacity(record.org_id), this.#clock.now());
    return list_shards === LIST_SHARDS ? record : { ...record, list_shards };
  }

  /** An eventually consistent read is far less late than the time after which a change takes effect. */
  #capacity(orgId: string): Promise<OrganizationCapacity | undefined> {
    const read = async () => {
      const item = await this.#table.get(keys.organization(orgId));
      return item?.capacity as OrganizationCapacity | undefined;
    };
    return this.#recent.read(orgId, this.#clock.now(), read);
  }
}
