import type { Key, Write } from '#shared/ports/table.port.ts';
import { checkChange } from '#shared/store/change.rules.ts';
import { checkCond } from '#shared/store/condition.rules.ts';
import { checkItem, checkKey, keyText } from '#shared/store/item.rules.ts';
import { demand } from '#shared/store/refuse.rules.ts';

const MAX_WRITES = 100;
/** DynamoDB's ClientRequestToken. */
const MAX_TOKEN = 36;
/** How long a token identifies the same transaction. */
export const TOKEN_MINUTES = 10;

export function keyOf(write: Write): Key {
  if ('put' in write) return write.put;
  if ('update' in write) return write.update;
  return 'delete' in write ? write.delete : write.check;
}

export function checkWrite(write: Write): void {
  if ('put' in write) checkItem(write.put);
  else checkKey(keyOf(write));
  if ('update' in write) checkChange(write.change);
  if (write.cond) checkCond(write.cond);
}

export function checkTransaction(writes: readonly Write[], token: string): void {
  demand(writes.length > 0 && writes.length <= MAX_WRITES, `A transaction has 1 to ${MAX_WRITES} writes.`);
  demand(token.length > 0 && token.length <= MAX_TOKEN, `A token has 1 to ${MAX_TOKEN} characters.`);
  for (const write of writes) {
    checkWrite(write);
    demand(!('check' in write) || write.cond !== undefined, 'A check needs a condition.');
  }
  demand(
    new Set(writes.map((write) => keyText(keyOf(write)))).size === writes.length,
    'A transaction writes an item twice.',
  );
}
