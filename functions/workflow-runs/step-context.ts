import type { EventRecord } from '#shared/domain/reference/events.catalog.ts';
import type { Execution, ExecutionError } from '#shared/domain/workflows/execution.model.ts';
import type { Facts } from '#shared/domain/workflows/expression.rules.ts';
import type { Step, Template } from '#shared/domain/workflows/workflow.model.ts';
import { type AppError, toProblem } from '#shared/kernel/errors.ts';

/** The event that an execution runs for, and the template in the version that it started with. */
export type RunContext = { readonly event: EventRecord; readonly template: Template };

/** What a step needs. `id` is the same for every attempt, so that it can serve as an idempotency key. */
export type StepContext<T extends Step> = RunContext & {
  readonly step: T;
  readonly id: string;
  readonly execution: Execution;
  readonly facts: Facts;
};

/** An error as an execution shows it: the same code and message that an API response would have. */
export function errorOf(error: AppError): ExecutionError {
  const { code, message, details } = toProblem(error).body;
  return { code, message, ...(details && { details }) };
}
