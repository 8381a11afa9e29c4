import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { TablePort } from '#shared/ports/table.port.ts';
import type { ExecutionsWhere } from '#shared/ports/workflows.port.ts';
import { indexKeys } from '#shared/store/keys.ts';
import { listRecords, type Most } from '#shared/store/record-list.ts';
import { countFilters, fitting, inShards, type Source } from '#shared/store/record-list-source.ts';
import { executionEntity, listedByStatus } from '#shared/store/repos/execution.entity.ts';

const FILTERS = ['template_id', 'status'] as const;

export function listExecutions(
  table: TablePort,
  orgId: string,
  where: ExecutionsWhere,
  most?: Most,
): Promise<ListPage<Execution>> {
  const [source, fits] = [sourceOf(orgId, where), fitting(FILTERS, orgId, where)];
  return listRecords(table, { source, fits, read: executionEntity.fromItem, idKind: 'execution' }, where, most);
}

/** The narrowest index that serves the filter. */
function sourceOf(orgId: string, where: ExecutionsWhere): Source {
  const { template_id, status } = where;
  const exact = countFilters(FILTERS, where) <= 1;
  if (template_id !== undefined)
    return { index: 'reference', partitions: inShards((n) => indexKeys.executionsOf(orgId, template_id, n)), exact };
  if (status !== undefined && listedByStatus(status))
    return { index: 'status', partitions: inShards((n) => indexKeys.executionsBy(orgId, status, n)), exact };
  return { index: 'list', partitions: inShards((n) => indexKeys.executions(orgId, n)), exact: status === undefined };
}
