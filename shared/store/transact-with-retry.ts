import { randomText } from '#shared/kernel/ids.ts';
import { noPause, retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import { TableError, type TablePort, type TransactResult, type Write } from '#shared/store/table/table.port.ts';

/** DynamoDB does not queue concurrent transactions on one item: the second one fails, and is repeated. */
const MAX_ATTEMPTS = 21;

/** For contended items. The token stays the same, so that a transaction with a lost response is not applied twice. */
export function transactWithRetry(table: TablePort, writes: readonly Write[]): Promise<TransactResult> {
  const token = randomText(32);
  let conflict: TableError | undefined;
  const attempt = async (): Promise<TransactResult | undefined> => {
    try {
      return await table.transact(writes, token);
    } catch (error) {
      if (!(error instanceof TableError) || error.kind !== 'conflict') throw error;
      conflict = error;
      return undefined;
    }
  };
  return retryOnConflict(attempt, () => conflict, { attempts: MAX_ATTEMPTS, wait: noPause });
}
