import type { ListPage } from '#shared/domain/reference/page.rules.ts';
import type { Execution, ExecutionStatus, PendingStart } from '#shared/domain/workflows/execution.model.ts';
import type { Definitions, Integration, Template, WorkflowRule } from '#shared/domain/workflows/workflow.model.ts';

/** A record of one kind to save, new or with the next version, or to remove. */
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
  /** The same, as they were at some time after `since`. */
  recentRules(orgId: string, at: Date, since: Date): Promise<readonly WorkflowRule[]>;
  integration(orgId: string, id: string): Promise<Integration | undefined>;
  /** As it is now. */
  template(orgId: string, id: string): Promise<Template | undefined>;
  /** As it was in that version, also after it was changed or deleted. */
  templateVersion(orgId: string, id: string, version: number): Promise<Template | undefined>;
  /** Written only while nothing of the organization's definitions has changed since they were read; false otherwise. */
  change(orgId: string, read: Pick<Definitions, 'version'>, change: DefinitionChange): Promise<boolean>;
}

export type ExecutionsQuery = {
  readonly limit: number;
  readonly offset: number;
  readonly cursor?: string;
  readonly status?: ExecutionStatus;
  readonly template_id?: string;
  readonly created_after?: string;
  readonly created_before?: string;
};

export interface ExecutionsPort {
  /** Returns this execution, or the one that an earlier try stored under its id. */
  create(execution: Execution): Promise<Execution>;
  get(orgId: string, id: string): Promise<Execution | undefined>;
  /** Without knowing the organization: for the worker. */
  byId(id: string): Promise<Execution | undefined>;
  list(orgId: string, where: ExecutionsQuery): Promise<ListPage<Execution>>;
  /** Decides on the execution and writes on its version; after a conflict it decides again, on the newer one. */
  change(execution: Execution, decide: (execution: Execution) => Execution | undefined): Promise<Execution>;
  /** Writes if the execution is still as it was read; undefined otherwise. */
  replace(execution: Execution, after: Execution): Promise<Execution | undefined>;
  /**
   * Records that executions for an event are still to be started, and when the sweeper checks it. Later calls for the
   * same event change nothing.
   */
  addPendingStart(pending: PendingStart, dueAt: Date): Promise<void>;
  pendingStart(eventId: string): Promise<PendingStart | undefined>;
  /** Claims the due start: false if another sweep has, or if it is complete. Not due again before `until`. */
  claimPendingStart(pending: PendingStart, dueAt: string, until: Date): Promise<boolean>;
  /**
   * All executions are started: it is no longer due. Kept for a month, so that a late message of its event does not add
   * it again.
   */
  completePendingStart(pending: PendingStart, at: Date): Promise<void>;
}
