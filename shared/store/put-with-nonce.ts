import { randomBytes } from 'node:crypto';
import type { Condition, Item, TablePort, WriteResult } from '#shared/store/table/table.port.ts';
import { TableError } from '#shared/store/table/table.port.ts';

/**
 * A conditional put that can be repeated after a lost response. The repeat fails its condition on the item that the
 * first put wrote, so each put carries a nonce that identifies it.
 */
export async function putWithNonce(table: TablePort, item: Item, condition: Condition): Promise<WriteResult> {
  const itemWithNonce: Item = { ...item, nonce: randomBytes(8).toString('base64url') };
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
