import * as z from 'zod';
import { APPROVAL_STATUSES } from '#shared/domain/accounts/agent.model.ts';
import { ByCurrency, IdParam, ListQuery, MAX_AMOUNT, Pagination } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

const LIMIT = `Must be a whole number of minor units, 0 to ${MAX_AMOUNT}, or null to remove the limit.`;
const Daily = ByCurrency(z.int(LIMIT).min(0, LIMIT).max(MAX_AMOUNT, LIMIT).nullable());

export const AgentLimitsReply = z.object({ daily: z.record(z.string(), z.int()) }).meta({ id: 'AgentLimits' });

export const ChangeAgentLimitsBody = z.strictObject({ daily: Daily }).meta({ id: 'ChangeAgentLimits' });
export type ChangeAgentLimitsInput = z.output<typeof ChangeAgentLimitsBody>;

export const ById = IdParam('approval');

const Nullable = z.string().nullable();

export const AgentApprovalReply = z
  .object({
    id: z.string(),
    status: z.enum(APPROVAL_STATUSES),
    key_id: z.string(),
    agent_name: Nullable,
    operation: z.string(),
    scope: z.string(),
    resource_id: Nullable,
    amount: z.int().nullable(),
    currency: Nullable,
    customer_id: Nullable,
    description: Nullable,
    terms: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).readonly(),
    created_at: z.string(),
    expires_at: z.string(),
    decided_by: Nullable,
    decided_at: Nullable,
    used_at: Nullable,
  })
  .meta({ id: 'AgentApproval' });

const WAITING = 'Must be pending. Without it the list has those that were decided too.';
export const ListAgentApprovalsQuery = ListQuery(
  { status: z.literal('pending', WAITING).optional() },
  { isPosition: (position) => isId('approval', position) },
);
export type ListAgentApprovalsInput = z.output<typeof ListAgentApprovalsQuery>;

export const ListAgentApprovalsReply = z
  .object({ agent_approvals: z.array(AgentApprovalReply).readonly(), pagination: Pagination })
  .meta({ id: 'AgentApprovalList' });
