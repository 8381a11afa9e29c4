import { randomBytes } from 'node:crypto';
import type { Cond, Item, TablePort, Written } from '#shared/ports/table.port.ts';
import { TableError } from '#shared/ports/table.port.ts';

/**
 * A conditional put that detects its own success: after a lost answer the repeat fails its condition on the item that
 * it wrote itself, so a nonce in each write tells the two apart.
 */
export async function certainPut(table: TablePort, item: Item, cond: Cond): Promise<Written> {
  const mine: Item = { ...item, nonce: randomBytes(8).toString('base64url') };
  const written = await putOnce(table, mine, cond);
  if (written.ok || written.old?.nonce !== mine.nonce) return written;
  return { ok: true, item: mine };
}

async function putOnce(table: TablePort, item: Item, cond: Cond): Promise<Written> {
  try {
    return await table.put(item, cond);
  } catch (error) {
    if (!(error instanceof TableError) || error.outcome !== 'unknown') throw error;
    return table.put(item, cond);
  }
}
