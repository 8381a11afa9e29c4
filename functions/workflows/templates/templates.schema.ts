import * as z from 'zod';
import { Steps } from '#functions/workflows/templates/steps.schema.ts';
import { STEP_TYPES } from '#shared/domain/workflows/workflow.model.ts';
import { ANY_OFFSET, CountedPagination, IdParam, ListQuery, Name } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('template');

const EXAMPLE = {
  name: 'Follow up on large failed payments',
  steps: [
    { id: 'large', type: 'condition', if: 'data.amount >= 10000 && data.failure.category != "fraud"' },
    {
      id: 'ask_crm',
      type: 'http_request',
      integration_id: 'wfi_01jzzzzzzzfz0a1b2c3d4e5f6g',
      body: { customer: '{{ data.customer_id }}' },
      on_error: 'continue',
    },
    { id: 'mark', type: 'tag_payment', metadata: { follow_up: true } },
    { id: 'wait', type: 'delay', for: '2h' },
    {
      id: 'tell_us',
      type: 'notify',
      integration_id: 'wfi_01jzzzzzzzfz0a1b2c3d4e5f6h',
      message:
        'Payment {{ data.id }} of {{ data.amount }} {{ data.currency }} has failed: {{ data.failure.message }} ' +
        'The CRM answered {{ steps.ask_crm.status_code }}.',
    },
  ],
};

export const CreateTemplateBody = z
  .strictObject({ name: Name, steps: Steps })
  .meta({ id: 'CreateWorkflowTemplate', examples: [EXAMPLE] });
export type CreateTemplateInput = z.output<typeof CreateTemplateBody>;

export const UpdateTemplateBody = z
  .strictObject({ name: Name.optional(), steps: Steps.optional() })
  .meta({ id: 'UpdateWorkflowTemplate' });
export type UpdateTemplateInput = z.output<typeof UpdateTemplateBody>;

export const ListTemplatesQuery = ListQuery(
  {},
  { isPosition: (position) => isId('template', position), maxOffset: ANY_OFFSET },
);
export type ListTemplatesInput = z.output<typeof ListTemplatesQuery>;

/** The step as it was sent and validated, so the API document shows the same schema. */
const StepReply = z.looseObject({ id: z.string(), type: z.enum(STEP_TYPES) }).meta({
  override: {
    $ref: '#/components/schemas/WorkflowStep',
    type: undefined,
    properties: undefined,
    required: undefined,
    additionalProperties: undefined,
  },
});

export const TemplateReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    name: z.string(),
    steps: z.array(StepReply).readonly(),
    version: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WorkflowTemplate' });

export const TemplatesReply = z
  .object({
    templates: z.array(TemplateReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'WorkflowTemplateList' });
