import type { Execution, OwedStart } from '#shared/domain/workflows/execution.model.ts';
import { DAY, plus, SECOND } from '#shared/kernel/clock.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Cond, Item, TablePort } from '#shared/ports/table.port.ts';
import type { ExecutionsPort, ExecutionsWhere } from '#shared/ports/workflows.port.ts';
import { certainPut } from '#shared/store/certain-put.ts';
import { keys } from '#shared/store/keys.ts';
import { executionEntity } from '#shared/store/repos/execution.entity.ts';
import { listExecutions } from '#shared/store/repos/execution-list.ts';
import { owedStartDue, owedStartEntity } from '#shared/store/repos/execution-start.entity.ts';
import { changeVersioned, createOnce } from '#shared/store/versioned.ts';

/**
 * Longer than its event's message can come again: it ends 14 days after it was sent, dead letters included, and as long
 * after somebody put it back once.
 */
const ENDED_START_LIFE = 30 * DAY;

export class ExecutionRepo implements ExecutionsPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  create(execution: Execution): Promise<Execution> {
    return createOnce(this.#table, executionEntity, execution);
  }

  async get(orgId: string, id: string): Promise<Execution | undefined> {
    const execution = await this.byId(id);
    return execution?.org_id === orgId ? execution : undefined;
  }

  async byId(id: string): Promise<Execution | undefined> {
    const item = isId('execution', id) ? await this.#table.get(keys.execution(id), { consistent: true }) : undefined;
    return item && executionEntity.fromItem(item);
  }

  list(orgId: string, where: ExecutionsWhere): Promise<ListPage<Execution>> {
    return listExecutions(this.#table, orgId, where);
  }

  change(execution: Execution, decide: (execution: Execution) => Execution | undefined): Promise<Execution> {
    return changeVersioned(this.#table, executionEntity, execution, decide, 'execution');
  }

  async replace(execution: Execution, after: Execution): Promise<Execution | undefined> {
    const item = executionEntity.toItem({ ...after, version: execution.version + 1 });
    const written = await certainPut(this.#table, item, { eq: ['version', execution.version] });
    return written.ok ? executionEntity.fromItem(written.item) : undefined;
  }

  async oweStart(owed: OwedStart, dueAt: Date): Promise<void> {
    await this.#table.put(owedStartEntity.toItem(owed, dueAt), { absent: 'pk' });
  }

  async owedStart(eventId: string): Promise<OwedStart | undefined> {
    const item = isId('event', eventId)
      ? await this.#table.get(keys.owedStart(eventId), { consistent: true })
      : undefined;
    return item && owedStartEntity.fromItem(item);
  }

  async takeStart(owed: OwedStart, dueAt: string, until: Date): Promise<boolean> {
    const untaken: Cond = { eq: ['due_sk', owedStartDue(owed, dueAt).due_sk] };
    const written = await this.#table.update(
      keys.owedStart(owed.id),
      { set: owedStartDue(owed, until.toISOString()) },
      untaken,
    );
    return written.ok;
  }

  async endStart({ id }: OwedStart, at: Date): Promise<void> {
    const ttl = Math.ceil(plus(at, ENDED_START_LIFE).getTime() / SECOND);
    await this.#table.update(keys.owedStart(id), { remove: ['due_pk', 'due_sk'], set: { ttl } }, { exists: 'pk' });
  }

  read(item: Item): Execution {
    return executionEntity.fromItem(item);
  }
}
