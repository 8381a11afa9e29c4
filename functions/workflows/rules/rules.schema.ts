import * as z from 'zod';
import { RuleCondition } from '#functions/workflows/templates/steps.schema.ts';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { ANY_OFFSET, CountedPagination, IdParam, ListQuery, Name, Text } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('workflowRule');

/** A test event is about a webhook endpoint, not about a payment. */
const EVENTS = EVENT_TYPES.filter((type) => type !== 'service.webhook.test');
const PRIORITY = 'Must be an integer from -1000000 to 1000000.';

const fields = {
  name: Name,
  event: z.enum(EVENTS, `Must be one of ${EVENTS.join(', ')}.`),
  condition: RuleCondition.nullable().meta({ example: 'data.amount >= 10000' }),
  template_id: Text(64, 1),
  enabled: z.boolean('Must be true or false.'),
  priority: z.int(PRIORITY).min(-1_000_000, PRIORITY).max(1_000_000, PRIORITY),
};

export const CreateRuleBody = z
  .strictObject({
    name: fields.name,
    event: fields.event,
    template_id: fields.template_id,
    condition: fields.condition.optional(),
    enabled: fields.enabled.optional(),
    priority: fields.priority.optional(),
  })
  .meta({ id: 'CreateWorkflowRule' });
export type CreateRuleInput = z.output<typeof CreateRuleBody>;

export const UpdateRuleBody = z.strictObject(fields).partial().meta({ id: 'UpdateWorkflowRule' });
export type UpdateRuleInput = z.output<typeof UpdateRuleBody>;

export const ListRulesQuery = ListQuery(
  {},
  { isPosition: (position) => isId('workflowRule', position), maxOffset: ANY_OFFSET },
);
export type ListRulesInput = z.output<typeof ListRulesQuery>;

export const RuleReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    name: z.string(),
    event: z.enum(EVENT_TYPES),
    condition: z.string().nullable(),
    template_id: z.string(),
    enabled: z.boolean(),
    priority: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WorkflowRule' });

export const RulesReply = z
  .object({
    rules: z.array(RuleReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'WorkflowRuleList' });
