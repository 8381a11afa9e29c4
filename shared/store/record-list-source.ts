import type { IndexName } from '#shared/ports/table.port.ts';
import { LIST_SHARDS, shards } from '#shared/store/keys.ts';

/**
 * The partitions that a list's entries are in. `exact`: every entry is a hit, so an offset is skipped on keys alone.
 */
export type Source = { readonly index: IndexName; readonly partitions: readonly string[]; readonly exact: boolean };

export const inShards = (partition: (shard: number) => string): readonly string[] => shards(LIST_SHARDS).map(partition);

type Filters<F extends string> = { readonly [field in F]?: string | undefined };
type Filtered<F extends string> = { readonly org_id: string } & { readonly [field in F]: string | null };

export const countFilters = <F extends string>(fields: readonly F[], where: Filters<F>): number =>
  fields.filter((field) => where[field] !== undefined).length;

/** Entries lag, so the indexed fields are checked again on the record. */
export const fitting =
  <F extends string>(fields: readonly F[], orgId: string, where: Filters<F>) =>
  (record: Filtered<F>): boolean =>
    record.org_id === orgId && fields.every((field) => where[field] === undefined || record[field] === where[field]);
