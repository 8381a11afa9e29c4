import { randomBytes } from 'node:crypto';
import type { Condition, Item, TablePort, WriteResult } from '#shared/store/table/table.port.ts';
import { TableError } from '#shared/store/table/table.port.ts';

/** Tells this process from all others; the count tells its puts apart. Random bytes for each would cost more time. */
const PROCESS = randomBytes(6).toString('base64url');
let puts = 0;

/**
 * A conditional put that can be repeated after a lost response. The repeat fails its condition on the item that the
 * first put wrote, so each put carries a nonce that identifies it.
 */
export async function putWithNonce(table: TablePort, item: Item, condition: Condition): Promise<WriteResult> {
  puts += 1;
  const itemWithNonce: Item = { ...item, nonce: `${PROCESS}${puts.toString(36)}` };
  const written = await putOnce(table, itemWithNonce, condition);
  if (written.ok || written.old?.nonce !== itemWithNonce.nonce) return written;
  return { ok: true, item: itemWithNonce };
}

async function putOnce(table: TablePort, item: Item, condition: Condition): Promise<WriteResult> {
  try {
    return await table.put(item, condition);
  } catch (error) {
    if (!(error instanceof TableError) || error.outcome !== 'unknown') throw error;
    return table.put(item, condition);
  }
}
