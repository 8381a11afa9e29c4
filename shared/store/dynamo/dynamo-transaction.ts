import type { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { cancellationError } from '#shared/store/dynamo/dynamo-error.rules.ts';
import { conditionInput, updateInput } from '#shared/store/dynamo/dynamo-expression.rules.ts';
import { itemFrom, toNativeItem } from '#shared/store/dynamo/dynamo-items.ts';
import type { Write } from '#shared/store/table/table.port.ts';
import { keyOf } from '#shared/store/table/write.rules.ts';

/** A failed condition returns the old item, so that no further read is needed. */
export const RETURN_OLD_ITEM = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function transactItem(TableName: string, write: Write): TransactItem {
  const { pk, sk } = keyOf(write);
  const at = { TableName, Key: { pk, sk }, ...RETURN_OLD_ITEM };
  const condition = write.condition && conditionInput(write.condition);
  if ('put' in write) return { Put: { TableName, Item: toNativeItem(write.put), ...condition, ...RETURN_OLD_ITEM } };
  if ('delete' in write) return { Delete: { ...at, ...condition } };
  if ('update' in write) return { Update: { ...at, ...updateInput(write.change, write.condition) } };
  return { ConditionCheck: { ...at, ...conditionInput(write.condition) } };
}

/**
 * The writes whose conditions failed. If none did, the transaction was canceled for another reason, which is thrown.
 */
export function failedWrites(error: TransactionCanceledException) {
  const reasons = error.CancellationReasons ?? [];
  const failed = reasons.flatMap(({ Code, Item: old }, index) =>
    Code === 'ConditionalCheckFailed' ? [{ index, old: old && itemFrom(old) }] : [],
  );
  if (failed.length === 0) throw cancellationError(reasons, error);
  return failed;
}
