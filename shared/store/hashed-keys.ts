import { FIRST_HASH_VERSION } from '#shared/kernel/hash-versions.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { HashConfig } from '#shared/ports/deps.ts';
import type { Item, Key, TablePort, Write } from '#shared/store/table/table.port.ts';

/** The key of a record that is found by a keyed hash, made with this secret. */
export type KeyOf = (secret: string) => Key;

const otherSecrets = ({ rotations }: HashConfig): readonly string[] =>
  rotations?.hashSecret?.others.map(({ secret }) => secret) ?? [];

/**
 * The record under the newest version of its hash that it has. All are read at once, so that the time does not show
 * whether there is one.
 */
export async function findHashed(table: TablePort, config: HashConfig, keyOf: KeyOf): Promise<Item | undefined> {
  const secrets = newestFirst(config);
  const items = await Promise.all(secrets.map((secret) => table.get(keyOf(secret), { consistent: true })));
  return items.find((item) => item !== undefined);
}

function newestFirst({ hashSecret, rotations }: HashConfig): readonly string[] {
  const { version = 0, others = [] } = rotations?.hashSecret ?? {};
  const secretsOf = (isWanted: (other: number) => boolean) =>
    others.filter((other) => isWanted(other.version)).map(({ secret }) => secret);
  return [...secretsOf((other) => other > version), hashSecret, ...secretsOf((other) => other < version)];
}

/** A new record: under no version of its hash may there be one. */
export function newHashedWrites(config: HashConfig, keyOf: KeyOf, record: Omit<Item, 'pk' | 'sk'>): readonly Write[] {
  return [
    { put: hashedItem(config, keyOf, record), condition: { absent: 'pk' } },
    ...otherSecrets(config).map((secret): Write => ({ check: keyOf(secret), condition: { absent: 'pk' } })),
  ];
}

const hashedItem = ({ hashSecret, rotations }: HashConfig, keyOf: KeyOf, record: Omit<Item, 'pk' | 'sk'>): Item => {
  const { version = FIRST_HASH_VERSION } = rotations?.hashSecret ?? {};
  return { ...record, ...keyOf(hashSecret), ...(version !== FIRST_HASH_VERSION && { hash_version: version }) };
};

/** Where a record is: under the current version of its hash, or under another one. */
export async function hashedKey(table: TablePort, config: HashConfig, keyOf: KeyOf): Promise<Key> {
  const current = keyOf(config.hashSecret);
  if (otherSecrets(config).length === 0) return current;
  const { pk, sk } = (await findHashed(table, config, keyOf)) ?? current;
  return { pk, sk };
}

const earlierSecrets = ({ rotations }: HashConfig): readonly string[] => {
  const { version = 0, others = [] } = rotations?.hashSecret ?? {};
  return others.filter((other) => other.version < version).map(({ secret }) => secret);
};

/**
 * Moves a record from an earlier version of its hash to the current one. The earlier one stays while other processes
 * may look for it there. With one version there is nothing to read or to write.
 */
export async function moveHashedWrites(table: TablePort, config: HashConfig, keyOf: KeyOf): Promise<readonly Write[]> {
  const earlier = earlierSecrets(config);
  if (earlier.length === 0) return [];
  const [current, ...items] = await Promise.all(
    [config.hashSecret, ...earlier].map((secret) => table.get(keyOf(secret), { consistent: true })),
  );
  const stored = items.filter((item) => item !== undefined);
  const [newest] = stored;
  const moved: readonly Write[] =
    current || !newest ? [] : [{ put: hashedItem(config, keyOf, withoutKey(newest)), condition: { absent: 'pk' } }];
  const isLookedFor = config.rotations?.hashSecret?.beside !== undefined;
  return [...moved, ...(isLookedFor ? [] : stored.map(({ pk, sk }): Write => ({ delete: { pk, sk } })))];
}

/** Moves a record by itself. Whether there was anything to move; with `rehearse`, nothing is written. */
export async function moveHashed(
  table: TablePort,
  config: HashConfig,
  keyOf: KeyOf,
  { rehearse }: { readonly rehearse: boolean },
): Promise<boolean> {
  const writes = await moveHashedWrites(table, config, keyOf);
  // A change at the same time may be faster: then it has moved the record.
  if (writes.length > 0 && !rehearse) await table.transact(writes, randomText(32));
  return writes.length > 0;
}

const withoutKey = ({ pk: _, sk: __, hash_version: ___, ...record }: Item) => record;

/**
 * A counter that was begun under an earlier version goes on under the current one. What other processes still count
 * under the earlier one at that moment is lost.
 */
export async function movedCounter(table: TablePort, config: HashConfig, keyOf: KeyOf): Promise<Key> {
  const key = keyOf(config.hashSecret);
  const earlier = earlierSecrets(config);
  if (earlier.length === 0 || (await table.get(key, { consistent: true }))) return key;
  const items = await Promise.all(earlier.map((secret) => table.get(keyOf(secret), { consistent: true })));
  const counter = items.find((item) => item !== undefined);
  if (counter) await table.put({ ...counter, ...key }, { absent: 'pk' });
  return key;
}
