import type { Execution, ExecutionStatus, OwedStart } from '#shared/domain/workflows/execution.model.ts';
import type { Definitions, Integration, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Item } from '#shared/ports/table.port.ts';

/** What is to be written: a record of one kind, new or on the version before its own, or one that goes. */
export type DefinitionChange =
  | { readonly kind: 'integration'; readonly save: Integration }
  | { readonly kind: 'template'; readonly save: Template }
  | { readonly kind: 'rule'; readonly save: WorkflowRule }
  | { readonly kind: 'integration' | 'template' | 'rule'; readonly remove: string };

export interface WorkflowsPort {
  /** All of an organization's: few, and read whole where one of them is about to change. */
  definitions(orgId: string): Promise<Definitions>;
  /** All rules, for an event. */
  rules(orgId: string): Promise<readonly WorkflowRule[]>;
  integration(orgId: string, id: string): Promise<Integration | undefined>;
  /** As it is now. */
  template(orgId: string, id: string): Promise<Template | undefined>;
  /** As it was in that version, also after it was changed or deleted. */
  templateVersion(orgId: string, id: string, version: number): Promise<Template | undefined>;
  /** Written only while nothing of the organization's definitions has changed since they were read; false otherwise. */
  change(orgId: string, read: Pick<Definitions, 'version'>, change: DefinitionChange): Promise<boolean>;
}

export type ExecutionsWhere = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: ExecutionStatus;
  readonly template_id?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

export interface ExecutionsPort {
  /** The given one, or what an earlier try stored under this id. */
  create(execution: Execution): Promise<Execution>;
  get(orgId: string, id: string): Promise<Execution | undefined>;
  /** Without knowing the organization: for the worker. */
  byId(id: string): Promise<Execution | undefined>;
  list(orgId: string, where: ExecutionsWhere): Promise<ListPage<Execution>>;
  /** Decides on the execution at hand and writes on its version; a lost race decides again on what won. */
  change(execution: Execution, decide: (execution: Execution) => Execution | undefined): Promise<Execution>;
  /** Writes if the execution is still as it was read; undefined otherwise. */
  replace(execution: Execution, after: Execution): Promise<Execution | undefined>;
  /**
   * Has the sweeper look then whether all that an event calls for has begun. Once an event: who comes later changes
   * nothing.
   */
  oweStart(owed: OwedStart, dueAt: Date): Promise<void>;
  owedStart(eventId: string): Promise<OwedStart | undefined>;
  /** Takes its entry of the due index: false when somebody else has, or all has begun. Not due again before `until`. */
  takeStart(owed: OwedStart, dueAt: string, until: Date): Promise<boolean>;
  /**
   * All has begun: it is due no more, and kept for a month so that a late message of its event doesn't owe it again.
   */
  endStart(owed: OwedStart, at: Date): Promise<void>;
  /** The execution in an item of the change feed. */
  read(item: Item): Execution;
}
