import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { EXECUTION_STATUSES, STEP_RUN_STATUSES } from '#shared/domain/workflows/execution.model.ts';
import { STEP_TYPES } from '#shared/domain/workflows/workflow.model.ts';
import { ANY_OFFSET, createdRange, IdParam, ListQuery, Pagination, Text } from '#shared/http/schema/common.schema.ts';

export const ById = IdParam('execution');

export const StartExecutionBody = z.strictObject({ template_id: Text(64, 1), event_id: Text(64, 1) }).meta({
  id: 'StartWorkflowExecution',
  description: 'Runs a template now for an existing event of any type and age.',
});
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
    status: z.enum(STEP_RUN_STATUSES).meta({
      description:
        '`running`: the step is running, waits for a retry, or is a delay that has not ended. ' +
        '`canceled`: a delay during which the execution was canceled. `failed` with ' +
        '`outcome_unknown`: the step was running when the execution ended, and may have moved money. ' +
        'The outcome replaces this status once it is known.',
    }),
    tries: z.int().meta({ description: 'The number of attempts, including a running one.' }),
    started_at: z.string().meta({ description: 'When the first attempt started.' }),
    ended_at: Nullable.meta({
      description: 'Null while the step is `running`. A delay ends when the execution continues.',
    }),
    output: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'Available to expressions of later steps as `steps.<id>`, together with `status`.' }),
    error: ErrorReply.nullable(),
  })
  .meta({ id: 'WorkflowStepRun' });

export const ExecutionReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    template_id: z.string(),
    template_version: z.int().meta({ description: 'The version of the template that it runs.' }),
    rule_id: Nullable.meta({ description: 'The rule that started the execution.' }),
    connection_id: Nullable.meta({
      description:
        'The connection whose `workflow_id` started the execution. If `rule_id` is null too, a ' +
        'request started it.',
    }),
    event: z.object({ id: z.string(), type: z.enum(EVENT_TYPES) }),
    status: z.enum(EXECUTION_STATUSES).meta({
      description:
        '`waiting`: for a delay, or for the retry of a step. `refused`: the execution never ran, ' +
        "because the plan's limit for the month was reached or a resource was deleted; see `error`.",
    }),
    steps: z.array(StepRunReply).readonly().meta({ description: 'The steps that have started, in order.' }),
    error: ErrorReply.nullable(),
    next_step_at: Nullable.meta({
      description: 'When the execution continues. Null while it is running and after it has ended.',
    }),
    created_at: z
      .string()
      .meta({ description: 'The time of the event, or of the request that started the execution.' }),
    updated_at: z.string(),
    started_at: Nullable,
    ended_at: Nullable,
  })
  .meta({ id: 'WorkflowExecution', description: 'One run of a template for one event.' });

export const ExecutionsReply = z
  .object({
    executions: z.array(ExecutionReply).readonly(),
    pagination: Pagination,
  })
  .meta({
    id: 'WorkflowExecutionList',
    description:
      'Newest first. With a filter, a page may have fewer than `limit` items, or none, while ' +
      '`has_more` is true. Follow the `Link` header.',
  });
