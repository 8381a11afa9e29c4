import type { Execution, ExecutionStatus } from '#shared/domain/workflows/execution.model.ts';
import { executionDueAt } from '#shared/domain/workflows/execution.rules.ts';
import { shardOf } from '#shared/kernel/ids.ts';
import type { Item } from '#shared/ports/table.port.ts';
import { indexKeys, keys, LIST_SHARDS } from '#shared/store/keys.ts';
import { recordIn } from '#shared/store/record-in.ts';

export const executionEntity = {
  toItem: (execution: Execution): Item => ({
    ...(execution as unknown as Item),
    ...keys.execution(execution.id),
    item_type: 'execution',
    ...indexed(execution),
  }),
  fromItem: (item: Item): Execution => recordIn<Execution>(item),
};

/** What nearly all are, before long or for a moment, is found in the list itself and costs no entry here. */
const UNLISTED: ReadonlySet<ExecutionStatus> = new Set(['pending', 'running', 'succeeded']);
export const listedByStatus = (status: ExecutionStatus): boolean => !UNLISTED.has(status);

function indexed(execution: Execution): Record<string, string> {
  const { id, org_id, template_id, status } = execution;
  const shard = shardOf(id, LIST_SHARDS);
  const due = executionDueAt(execution);
  return {
    list_pk: indexKeys.executions(org_id, shard),
    list_sk: id,
    reference_pk: indexKeys.executionsOf(org_id, template_id, shard),
    reference_sk: id,
    ...(listedByStatus(status) && { status_pk: indexKeys.executionsBy(org_id, status, shard), status_sk: id }),
    ...(due !== undefined && { due_pk: indexKeys.due(id), due_sk: `${due}#${id}#${org_id}` }),
  };
}
