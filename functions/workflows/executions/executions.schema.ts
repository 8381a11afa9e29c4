import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { EXECUTION_STATUSES, STEP_RUN_STATUSES } from '#shared/domain/workflows/execution.model.ts';
import { STEP_TYPES } from '#shared/domain/workflows/workflow.model.ts';
import { ANY_OFFSET, createdRange, IdParam, ListQuery, Pagination, Text } from '#shared/http/schema/common.schema.ts';

export const ById = IdParam('execution');

export const StartExecutionBody = z
  .strictObject({ template_id: Text(64, 1), event_id: Text(64, 1) })
  .meta({ id: 'StartWorkflowExecution' });
export type StartExecutionInput = z.output<typeof StartExecutionBody>;

export const ListExecutionsQuery = ListQuery(
  {
    status: z.enum(EXECUTION_STATUSES, `Must be one of ${EXECUTION_STATUSES.join(', ')}.`).optional(),
    template_id: Text(64, 1).optional(),
    ...createdRange,
  },
  { isPosition: (position) => parsePosition(position, 'execution') !== undefined, maxOffset: ANY_OFFSET },
);
export type ListExecutionsInput = z.output<typeof ListExecutionsQuery>;

const Nullable = z.string().nullable();
const ErrorReply = z
  .object({ code: z.string(), message: z.string(), details: z.looseObject({}).optional() })
  .meta({ id: 'WorkflowError' });

const StepRunReply = z
  .object({
    id: z.string(),
    type: z.enum(STEP_TYPES),
    status: z.enum(STEP_RUN_STATUSES),
    tries: z.int(),
    started_at: z.string(),
    ended_at: Nullable,
    output: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    error: ErrorReply.nullable(),
  })
  .meta({ id: 'WorkflowStepRun' });

export const ExecutionReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    template_id: z.string(),
    template_version: z.int(),
    rule_id: Nullable,
    connection_id: Nullable,
    event: z.object({ id: z.string(), type: z.enum(EVENT_TYPES) }),
    status: z.enum(EXECUTION_STATUSES),
    steps: z.array(StepRunReply).readonly(),
    error: ErrorReply.nullable(),
    next_step_at: Nullable,
    created_at: z.string(),
    updated_at: z.string(),
    started_at: Nullable,
    ended_at: Nullable,
  })
  .meta({ id: 'WorkflowExecution' });

export const ExecutionsReply = z
  .object({
    executions: z.array(ExecutionReply).readonly(),
    pagination: Pagination,
  })
  .meta({ id: 'WorkflowExecutionList' });
