import * as z from 'zod';
import { DISPUTE_REASONS, DISPUTE_STATUSES } from '#shared/domain/disputes/dispute.model.ts';
import { EVIDENCE_FIELDS, type EvidenceField } from '#shared/domain/disputes/evidence.catalog.ts';
import { parsePosition } from '#shared/domain/reference/page.rules.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import { createdRange, IdParam, ListQuery, Pagination, Text, Timestamp } from '#shared/http/schema/common.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

export const ById = IdParam('dispute');

export const ListDisputesQuery = ListQuery(
  {
    status: z.enum(DISPUTE_STATUSES, `Must be one of ${DISPUTE_STATUSES.join(', ')}.`).optional(),
    respond_by_before: Timestamp.optional().meta({
      description: 'Only disputes that still wait for an answer (`warning`, `needs_response`), due before this time.',
    }),
    provider: z.enum(PROVIDERS, `Must be one of ${PROVIDERS.join(', ')}.`).optional(),
    payment_id: Text(64, 1).optional(),
    ...createdRange,
  },
  { isPosition: (position) => parsePosition(position, 'dispute') !== undefined },
);
export type ListDisputesQuery = z.output<typeof ListDisputesQuery>;

const evidenceShape = Object.fromEntries(
  Object.entries(EVIDENCE_FIELDS).map(([field, max]) => [field, Text(max, 1).optional()]),
) as Record<EvidenceField, z.ZodOptional<ReturnType<typeof Text>>>;

export const EvidenceBody = z
  .strictObject(evidenceShape)
  .refine((evidence) => Object.keys(evidence).length > 0, 'Must have at least one field.')
  .meta({
    id: 'DisputeEvidence',
    description:
      'Texts in the words of the shop. A provider takes those that `answer_options.evidence_fields` of the dispute ' +
      'names. They go to the provider and are not kept here. Dates are `YYYY-MM-DD`.',
  });

const Nullable = z.string().nullable();

/** Only these fields leave the service: internal fields of a dispute are not listed. */
export const DisputeReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    payment_id: z.string(),
    connection_id: z.string(),
    provider: z.enum(PROVIDERS),
    psp_reference: z.string().meta({ description: "The provider's id of the dispute." }),
    charge_reference: Nullable.meta({ description: "The provider's id of the disputed charge." }),
    amount: z.number().meta({ description: 'What is disputed, in minor units of `currency`.' }),
    currency: z.string(),
    status: z.enum(DISPUTE_STATUSES).meta({
      description:
        '`warning`: an inquiry; no money is withheld yet. `needs_response` and `under_review`: the money is withheld. ' +
        '`won`: it came back, or was never taken. `lost`, `accepted` and `expired`: it is gone, by a decision, because ' +
        'the shop gave in, or because nobody answered in time.',
    }),
    reason: z.enum(DISPUTE_REASONS),
    provider_reason: Nullable.meta({ description: 'The code of the provider or of the card network.' }),
    respond_by: Nullable.meta({ description: 'Until when it can be answered; `null` if the provider does not tell.' }),
    answer: z
      .object({ type: z.enum(['accept', 'evidence']), fields: z.array(z.string()), at: z.string(), by: z.string() })
      .nullable()
      .meta({ description: 'What the shop answered through this service, and which user or key did so.' }),
    answer_options: z.object({ accept: z.boolean(), evidence_fields: z.array(z.string()) }).meta({
      description: 'How it can be answered now. Nothing: it cannot be, or only in the dashboard of the provider.',
    }),
    opened_at: z.string(),
    closed_at: Nullable,
    created_at: z.string().meta({ description: 'When this service heard of it.' }),
    updated_at: z.string(),
  })
  .meta({ id: 'Dispute', description: "A customer's dispute of a charge, as its provider has it." });

export const DisputesReply = z.object({ disputes: z.array(DisputeReply), pagination: Pagination }).meta({
  id: 'DisputeList',
  description:
    'Newest first. With rare matches a page may hold fewer than `limit` objects, or none: while `has_more` is ' +
    'true, the `Link` header leads to the next page.',
});
