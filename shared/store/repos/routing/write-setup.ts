import { routingCopiesOf } from '#shared/domain/accounts/organization.rules.ts';
import {
  countedPart,
  type RoutingSetup,
  type RoutingSnapshot,
  snapshotOf,
} from '#shared/domain/routing/routing-snapshot.rules.ts';
import { assertSetupAllowed, assertSnapshotFits, SETUP_LIMITS } from '#shared/domain/routing/setup-limits.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { keys, ranges } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import {
  encodeSnapshot,
  type SnapshotVersion,
  snapshotWrites,
  versionOf,
} from '#shared/store/repos/routing/routing-snapshot.entity.ts';
import { toSetup } from '#shared/store/repos/routing/setup.entity.ts';
import { keyText } from '#shared/store/table/item.rules.ts';
import {
  type Item,
  TableError,
  type TablePort,
  type TransactResult,
  type Write,
} from '#shared/store/table/table.port.ts';
import { applyChange, keyOf } from '#shared/store/table/write.rules.ts';

/** How often a transaction whose outcome is unknown is asked about. */
const UNKNOWN_ATTEMPTS = 5;

/**
 * Writes items of an organization's setup together with the snapshot that payments read, in one transaction on the
 * version of that snapshot. So both always agree, and the limits and `assertAllowed` judge exactly the setup that the
 * change is made to, however many are made at once. The result names failures among `writes` only.
 */
export function writeSetup(
  table: TablePort,
  orgId: string,
  writes: readonly Write[],
  assertAllowed: (before: RoutingSetup) => void = () => undefined,
): Promise<TransactResult> {
  const attempt = async (): Promise<TransactResult | undefined> => {
    const { stored, items } = await readSetup(table, orgId);
    const [before, after] = [toSetup(items), toSetup(itemsAfter(items, writes))];
    assertAllowed(before);
    assertSetupAllowed(before, after);
    const written = await transactOnce(table, [...writes, ...snapshotChange(orgId, stored, before, after)]);
    if (!written || written.ok) return written;
    const failed = written.failed.filter(({ index }) => index < writes.length);
    return failed.length > 0 ? { ok: false, failed } : undefined;
  };
  return retryOnConflict(attempt, 'The setup of this organization is being changed by other requests. Try again.');
}

/**
 * The setup of an organization without a snapshot, which is one of an older release or a new one. Stores the snapshot,
 * so that the next payment finds it; if that fails, the setup is right all the same.
 */
export async function buildSnapshot(table: TablePort, orgId: string): Promise<RoutingSnapshot> {
  const { stored, items } = await readSetup(table, orgId);
  const setup = toSetup(items);
  if (!stored && setup.organization) await storeIfPossible(table, snapshotChange(orgId, stored, setup, setup));
  return snapshotOf(setup);
}

/** Makes the snapshot anew. Undefined if the items cannot be read now: the stored one is right nearly always. */
export async function checkedSnapshot(table: TablePort, orgId: string): Promise<RoutingSnapshot | undefined> {
  try {
    const { stored, items } = await readSetup(table, orgId);
    const setup = toSetup(items);
    if (setup.organization) await storeIfPossible(table, snapshotChange(orgId, stored, setup, setup));
    return snapshotOf(setup);
  } catch (error) {
    if (error instanceof TableError) return undefined;
    throw error;
  }
}

async function storeIfPossible(table: TablePort, writes: readonly Write[]): Promise<void> {
  try {
    await table.transact(writes, randomText(32));
  } catch (error) {
    if (!(error instanceof TableError)) throw error;
  }
}

/**
 * The version is read first: if another change is stored between the two reads, the write on this version fails, and
 * all is read again.
 */
async function readSetup(table: TablePort, orgId: string) {
  const stored = versionOf(await table.get(keys.routingSnapshot(orgId, 0), { consistent: true }));
  const items = await queryAll(table, { ...ranges.routingSetup(orgId), limit: 1_000, consistent: true });
  return { stored, items };
}

/** The items of the partition as the writes will leave them, in the order that a query returns them in. */
function itemsAfter(items: readonly Item[], writes: readonly Write[]): readonly Item[] {
  const after = new Map(items.map((item) => [keyText(item), item]));
  for (const write of writes) {
    const key = keyOf(write);
    if ('put' in write) after.set(keyText(key), write.put);
    if ('update' in write) after.set(keyText(key), applyChange(after.get(keyText(key)), key, write.change));
    if ('delete' in write) after.delete(keyText(key));
  }
  return [...after.values()].sort((a, b) => (a.sk < b.sk ? -1 : 1));
}

function snapshotChange(
  orgId: string,
  stored: SnapshotVersion | undefined,
  before: RoutingSetup,
  after: RoutingSetup,
): readonly Write[] {
  // Without an organization there is no payment. One that is created at the same time must not miss this change.
  if (!after.organization) return [{ check: keys.organization(orgId), condition: { absent: 'pk' } }];
  const encoded = encodeSnapshot(snapshotOf(after));
  if (encoded.bytes > SETUP_LIMITS.snapshotBytes) assertSnapshotFits(countedSize(before), countedSize(after));
  return snapshotWrites(orgId, stored, encoded, routingCopiesOf(after.organization));
}

const countedSize = (setup: RoutingSetup) => encodeSnapshot(countedPart(snapshotOf(setup)));

/**
 * Undefined after a conflict with another transaction, of which nothing was written. A conflict with an earlier try of
 * this one says nothing about that try: it is repeated under the same token, so that it is applied once, and known.
 */
async function transactOnce(table: TablePort, writes: readonly Write[]): Promise<TransactResult | undefined> {
  const token = randomText(32);
  let conflict: TableError | undefined;
  const attempt = async (): Promise<{ readonly result: TransactResult | undefined } | undefined> => {
    try {
      return { result: await table.transact(writes, token) };
    } catch (error) {
      if (!(error instanceof TableError && error.kind === 'conflict')) throw error;
      conflict = error;
      return error.outcome === 'not_done' ? { result: undefined } : undefined;
    }
  };
  return (await retryOnConflict(attempt, () => conflict, { attempts: UNKNOWN_ATTEMPTS })).result;
}
