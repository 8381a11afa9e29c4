import * as z from 'zod';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { EXECUTION_STATUSES, STEP_RUN_STATUSES } from '#shared/domain/workflows/execution.model.ts';
import { STEP_TYPES } from '#shared/domain/workflows/workflow.model.ts';
import { ANY_OFFSET, createdRange, IdParam, ListQuery, Pagination, Text } from '#shared/http/schema/common.schema.ts';

export const ById = IdParam('execution');

export const StartExecutionBody = z.strictObject({ template_id: Text(64, 1), event_id: Text(64, 1) }).meta({
  id: 'StartWorkflowExecution',
  description: 'Runs a template for an event that is there, whatever its type and however old, now.',
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
        '`running`: it is carried out or to be tried again, or it is a delay that is not over. `canceled`: a delay in which the execution was canceled. `failed` with `outcome_unknown`: it was under way when the execution ended, and may have moved money; what came of it takes this place when it is known.',
    }),
    tries: z.int().meta({ description: 'The try that is under way counts too.' }),
    started_at: z.string().meta({ description: 'Of its first try.' }),
    ended_at: Nullable.meta({ description: 'Null while it is `running`. A delay ends when the execution goes on.' }),
    output: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .meta({ description: 'What expressions of later steps find under `steps.<id>`, with `status` beside it.' }),
    error: ErrorReply.nullable(),
  })
  .meta({ id: 'WorkflowStepRun' });

export const ExecutionReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    template_id: z.string(),
    rule_id: Nullable.meta({ description: 'The rule that called for it.' }),
    connection_id: Nullable.meta({
      description: 'The connection whose `workflow_id` called for it. Null both: it was started by a request.',
    }),
    event: z.object({ id: z.string(), type: z.enum(EVENT_TYPES) }),
    status: z.enum(EXECUTION_STATUSES).meta({
      description:
        "`waiting`: for a delay, or a step's next try. `refused`: it never ran, as the plan's executions of the month were used up, or what was to run is not there; `error` says which.",
    }),
    steps: z.array(StepRunReply).readonly().meta({ description: 'Those that have begun, in order.' }),
    error: ErrorReply.nullable(),
    next_step_at: Nullable.meta({ description: 'When it goes on; null where it is under way, or over.' }),
    created_at: z.string().meta({ description: "When it was called for: its event's time, or the request's." }),
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
      'Newest first. Where hits are rare, a page holds fewer than `limit`, or none: while `has_more` is true, `Link` leads on.',
  });
