import type { TransactionCanceledException, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Write } from '#shared/ports/table.port.ts';
import { fromItem, keyAttributes, toAttributes } from '#shared/store/dynamo/dynamo-attribute.rules.ts';
import { canceled } from '#shared/store/dynamo/dynamo-error.rules.ts';
import { changeOf, condOf } from '#shared/store/dynamo/dynamo-expression.rules.ts';

/** Failures return the old item, so that no further read is needed. */
export const REFUSED = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

export function transactItem(TableName: string, write: Write): TransactWriteItem {
  if ('put' in write)
    return { Put: { TableName, Item: toAttributes(write.put), ...(write.cond && condOf(write.cond)), ...REFUSED } };
  if ('delete' in write)
    return {
      Delete: { TableName, Key: keyAttributes(write.delete), ...(write.cond && condOf(write.cond)), ...REFUSED },
    };
  if ('update' in write)
    return {
      Update: { TableName, Key: keyAttributes(write.update), ...changeOf(write.change, write.cond), ...REFUSED },
    };
  return { ConditionCheck: { TableName, Key: keyAttributes(write.check), ...condOf(write.cond), ...REFUSED } };
}

/**
 * The writes whose conditions failed. If none did, the transaction was canceled for another reason, which is thrown.
 */
export function failedOf(error: TransactionCanceledException) {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.flatMap(({ Code, Item: old }, index) =>
    Code === 'ConditionalCheckFailed' ? [{ index, old: old && fromItem(old) }] : [],
  );
  if (failed.length === 0) throw canceled(reasons, error);
  return failed;
}
