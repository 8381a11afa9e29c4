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
    respond_by_before: Timestamp.optional(),
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
  .meta({ id: 'DisputeEvidence' });

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
    psp_reference: z.string(),
    charge_reference: Nullable,
    amount: z.number(),
    currency: z.string(),
    status: z.enum(DISPUTE_STATUSES),
    reason: z.enum(DISPUTE_REASONS),
    provider_reason: Nullable,
    respond_by: Nullable,
    answer: z
      .object({ type: z.enum(['accept', 'evidence']), fields: z.array(z.string()), at: z.string(), by: z.string() })
      .nullable(),
    answer_options: z.object({ accept: z.boolean(), evidence_fields: z.array(z.string()) }),
    opened_at: z.string(),
    closed_at: Nullable,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Dispute' });

export const DisputesReply = z
  .object({ disputes: z.array(DisputeReply), pagination: Pagination })
  .meta({ id: 'DisputeList' });
