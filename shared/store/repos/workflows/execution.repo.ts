import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { Execution, ExecutionStatus, PendingStart } from '#shared/domain/workflows/execution.model.ts';
import { executionDueAt } from '#shared/domain/workflows/execution.rules.ts';
import { type Clock, DAY, plus, SECOND } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { ExecutionsPort, ExecutionsQuery } from '#shared/ports/workflows.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { dueEntry, indexKeys, keys, LIST_SHARDS, listShardOf } from '#shared/store/keys.ts';
import {
  countFilters,
  inShards,
  type ListOptions,
  type ListSource,
  listRecords,
  matchesFilters,
} from '#shared/store/list-records.ts';
import { ListShards } from '#shared/store/list-shards.ts';
import type { Condition, Item, TablePort } from '#shared/store/table/table.port.ts';
import { VersionedRepo } from '#shared/store/versioned-repo.ts';

/**
 * How long a completed start is kept: longer than the queue can deliver the message of its event again. A message lives
 * 14 days including its time as a dead letter, and 14 more if the dead letter is redriven.
 */
const ENDED_START_LIFETIME = 30 * DAY;

export class ExecutionRepo extends VersionedRepo<Execution> implements ExecutionsPort {
  readonly #lists: ListShards;
  constructor(table: TablePort, clock: Clock) {
    super(table, executionEntity);
    this.#lists = new ListShards(table, clock);
  }

  override async create(execution: Execution): Promise<Execution> {
    return super.create(await this.#lists.place(execution));
  }

  async list(orgId: string, query: ExecutionsQuery): Promise<ListPage<Execution>> {
    return listExecutions(this.table, orgId, query, { shards: await this.#lists.all(orgId) });
  }

  async replace(execution: Execution, after: Execution): Promise<Execution | undefined> {
    const saved = await this.save(execution, after);
    return saved.ok ? saved.record : undefined;
  }

  async addPendingStart(start: PendingStart, dueAt: Date): Promise<void> {
    await this.table.put(pendingStartEntity.toItem(start, dueAt), { absent: 'pk' });
  }

  async pendingStart(eventId: string): Promise<PendingStart | undefined> {
    const item = isId('event', eventId)
      ? await this.table.get(keys.pendingStart(eventId), { consistent: true })
      : undefined;
    return item && pendingStartEntity.fromItem(item);
  }

  async claimPendingStart(start: PendingStart, dueAt: string, until: Date): Promise<boolean> {
    const unclaimed: Condition = { eq: ['due_sk', pendingStartDue(start, dueAt).due_sk ?? null] };
    const written = await this.table.update(
      keys.pendingStart(start.id),
      { set: pendingStartDue(start, until.toISOString()) },
      unclaimed,
    );
    return written.ok;
  }

  async completePendingStart({ id }: PendingStart, at: Date): Promise<void> {
    const ttl = Math.ceil(plus(at, ENDED_START_LIFETIME).getTime() / SECOND);
    await this.table.update(keys.pendingStart(id), { remove: ['due_pk', 'due_sk'], set: { ttl } }, { exists: 'pk' });
  }
}

const FILTERS = ['template_id', 'status'] as const;

function listExecutions(
  table: TablePort,
  orgId: string,
  query: ExecutionsQuery,
  { shards = LIST_SHARDS, ...limits }: ListOptions = {},
): Promise<ListPage<Execution>> {
  const source = sourceOf(orgId, query, shards);
  const matches = matchesFilters(FILTERS, orgId, query);
  return listRecords(table, { source, matches, read: executionEntity.fromItem, idKind: 'execution' }, query, limits);
}

/** The narrowest index that serves the filter. */
function sourceOf(orgId: string, query: ExecutionsQuery, shards: number): ListSource {
  const { template_id, status } = query;
  const exact = countFilters(FILTERS, query) <= 1;
  if (template_id !== undefined)
    return {
      index: 'lookup',
      partitions: inShards(shards, (n) => indexKeys.executionsOfTemplate(orgId, template_id, n)),
      exact,
    };
  if (status !== undefined && isListedByStatus(status))
    return {
      index: 'status',
      partitions: inShards(shards, (n) => indexKeys.executionsByStatus(orgId, status, n)),
      exact,
    };
  return {
    index: 'list',
    partitions: inShards(shards, (n) => indexKeys.executions(orgId, n)),
    exact: status === undefined,
  };
}

const pendingStartEntity = {
  toItem: ({ id, org_id, type, through, since }: PendingStart, dueAt: Date): Item => ({
    ...keys.pendingStart(id),
    item_type: 'owed_start',
    id,
    org_id,
    type,
    ...(through && { through }),
    since,
    ...pendingStartDue({ id, org_id }, dueAt.toISOString()),
  }),
  fromItem: (item: Item): PendingStart => {
    const { id, org_id, type, through, since } = item as unknown as PendingStart;
    return { id, org_id, type, ...(through && { through }), since };
  },
};

const pendingStartDue = ({ id, org_id }: Pick<PendingStart, 'id' | 'org_id'>, at: string) => dueEntry(at, id, org_id);

export const executionEntity = {
  name: 'execution',
  idKind: 'execution',
  key: keys.execution,
  toItem: (execution: Execution): Item => ({
    ...(execution as unknown as Item),
    ...keys.execution(execution.id),
    item_type: 'execution',
    ...indexAttributes(execution),
  }),
  fromItem: fromItem<Execution>,
} as const;

/** Nearly all executions have one of these: they are read from the full list, and need no entry in the status index. */
const UNLISTED: ReadonlySet<ExecutionStatus> = new Set(['pending', 'running', 'succeeded']);
const isListedByStatus = (status: ExecutionStatus): boolean => !UNLISTED.has(status);

function indexAttributes(execution: Execution): Record<string, string> {
  const { id, org_id, template_id, status } = execution;
  const shard = listShardOf(execution);
  const due = executionDueAt(execution);
  return {
    list_pk: indexKeys.executions(org_id, shard),
    list_sk: id,
    lookup_pk: indexKeys.executionsOfTemplate(org_id, template_id, shard),
    lookup_sk: id,
    ...(isListedByStatus(status) && { status_pk: indexKeys.executionsByStatus(org_id, status, shard), status_sk: id }),
    ...dueEntry(due, id, org_id),
  };
}
