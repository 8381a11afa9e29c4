import type { Definitions, Integration, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import { MINUTE } from '#shared/kernel/clock.ts';
import { isId, randomText } from '#shared/kernel/ids.ts';
import type { DefinitionChange, WorkflowsPort } from '#shared/ports/workflows.port.ts';
import { fromItem } from '#shared/store/from-item.ts';
import { keys, ranges, workflowPartition } from '#shared/store/keys.ts';
import { queryAll } from '#shared/store/read-all.ts';
import { RecentReads } from '#shared/store/recent-reads.ts';
import type { Condition, Item, TablePort, Write } from '#shared/store/table/table.port.ts';

const PAGE_SIZE = 1_000;
/** Rules that were read after an event are exact for it; this only limits what is kept. */
const MAX_AGE = MINUTE;

/**
 * The integrations, templates and rules of an organization are in one partition. The version of its `head` item counts
 * their changes.
 */
export class WorkflowRepo implements WorkflowsPort {
  readonly #table: TablePort;
  readonly #recentRules = new RecentReads<readonly WorkflowRule[]>(MAX_AGE);
  constructor(table: TablePort) {
    this.#table = table;
  }

  async definitions(orgId: string): Promise<Definitions> {
    const items = await queryAll(this.#table, { pk: workflowPartition(orgId), limit: PAGE_SIZE, consistent: true });
    const head = items.find(({ sk }) => sk === 'head');
    return {
      version: Number(head?.version ?? 0),
      integrations: items.filter(isKind('integration')).map(fromItem<Integration>),
      templates: items.filter(isKind('template')).map(fromItem<Template>),
      rules: items.filter(isKind('rule')).map(fromItem<WorkflowRule>),
    };
  }

  async rules(orgId: string): Promise<readonly WorkflowRule[]> {
    const items = await queryAll(this.#table, {
      ...ranges.workflowRules(orgId),
      limit: PAGE_SIZE,
      consistent: true,
    });
    return items.map(fromItem<WorkflowRule>);
  }

  recentRules(orgId: string, at: Date, since: Date): Promise<readonly WorkflowRule[]> {
    return this.#recentRules.read(orgId, at, () => this.rules(orgId), since);
  }

  async integration(orgId: string, id: string): Promise<Integration | undefined> {
    const item = isId('integration', id)
      ? await this.#table.get(keys.workflow(orgId, 'integration', id), { consistent: true })
      : undefined;
    return item && fromItem<Integration>(item);
  }

  async template(orgId: string, id: string): Promise<Template | undefined> {
    const item = isId('template', id)
      ? await this.#table.get(keys.workflow(orgId, 'template', id), { consistent: true })
      : undefined;
    return item && fromItem<Template>(item);
  }

  async templateVersion(orgId: string, id: string, version: number): Promise<Template | undefined> {
    const item = await this.#table.get(keys.templateVersion(orgId, id, version), { consistent: true });
    return item && fromItem<Template>(item);
  }

  async change(orgId: string, read: Pick<Definitions, 'version'>, change: DefinitionChange): Promise<boolean> {
    const written = await this.#table.transact(
      [headOf(orgId, read.version), ...writesOf(orgId, change)],
      randomText(32),
    );
    return written.ok;
  }
}

/** Fails if any definition has changed since the partition was read: each write increases the version of the head. */
function headOf(orgId: string, version: number): Write {
  const condition: Condition = version === 0 ? { absent: 'pk' } : { eq: ['version', version] };
  return { put: { ...keys.workflowHead(orgId), item_type: 'workflow_head', version: version + 1 }, condition };
}

function writesOf(orgId: string, change: DefinitionChange): readonly Write[] {
  if ('remove' in change)
    return [{ delete: keys.workflow(orgId, change.kind, change.remove), condition: { exists: 'pk' } }];
  const item: Item = { ...(change.save as unknown as Item), item_type: `workflow_${change.kind}` };
  const currentWrite: Write = { put: { ...item, ...keys.workflow(orgId, change.kind, change.save.id) } };
  if (change.kind !== 'template') return [currentWrite];
  return [
    currentWrite,
    {
      put: {
        ...item,
        ...keys.templateVersion(orgId, change.save.id, change.save.version),
        item_type: 'workflow_template_version',
      },
    },
  ];
}

const isKind =
  (kind: string) =>
  ({ item_type }: Item): boolean =>
    item_type === `workflow_${kind}`;
