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
  condition: RuleCondition.nullable().meta({
    description:
      'An expression over `event` and `data`. The rule applies to events for which it is true; null' +
      ' applies to all events. It may only refer to fields that events of this type can have.',
    example: 'data.amount >= 10000',
  }),
  template_id: Text(64, 1),
  enabled: z.boolean('Must be true or false.'),
  priority: z
    .int(PRIORITY)
    .min(-1_000_000, PRIORITY)
    .max(1_000_000, PRIORITY)
    .meta({
      description:
        'If an event matches more rules than the plan allows executions, the rules with the highest ' +
        'priority run; among equals, the oldest. A workflow of a connection comes last. Executions ' +
        'start in this order but run in parallel.',
    }),
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

export const UpdateRuleBody = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'UpdateWorkflowRule', description: 'Fields that are not sent keep their values.' });
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
  .meta({
    id: 'WorkflowRule',
    description:
      'Runs a template for each event of a type. It applies to events that happen after the rule ' +
      'was created or enabled, or after its event, condition or template was changed. At most ten ' +
      'rules can have the same event type. A rule is rejected if rules, enabled or not, would ' +
      'trigger each other in an endless loop, or if its template has a step that can never succeed ' +
      'for such an event.',
  });

export const RulesReply = z
  .object({
    rules: z.array(RuleReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'WorkflowRuleList' });
