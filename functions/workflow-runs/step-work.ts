import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { Execution } from '#shared/domain/workflows/execution.model.ts';
import type { Facts } from '#shared/domain/workflows/expression.rules.ts';
import type { Step, Template } from '#shared/domain/workflows/workflow.model.ts';

/** What an execution goes by: the event it runs for, and the template as it was when it began. */
export type Run = { readonly event: EventRecord; readonly template: Template };

/** What a step works with. `id` names it for whoever must do it once: the same for each try of it. */
export type StepWork<T extends Step> = Run & {
  readonly step: T;
  readonly id: string;
  readonly execution: Execution;
  readonly facts: Facts;
};
