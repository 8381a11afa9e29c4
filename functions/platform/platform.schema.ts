import * as z from 'zod';
import { LIST_SHARD_COUNTS, maxListShards } from '#shared/domain/accounts/capacity.rules.ts';
import { KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { PLATFORM_ACTIONS } from '#shared/domain/accounts/platform.model.ts';
import { DEFAULT_RATE, MAX_RATE, type RateClass } from '#shared/domain/accounts/rate-limits.rules.ts';
import { PLATFORM_ROLES } from '#shared/domain/reference/access.catalog.ts';
import { isCreationPosition } from '#shared/domain/reference/page.rules.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  Email,
  IdParam,
  ListQuery,
  Pagination,
  Text,
} from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const OrganizationById = IdParam('organization');
export const AdminById = IdParam('user');

export const PlatformMeReply = z
  .object({ is_admin: z.boolean(), role: z.enum(PLATFORM_ROLES).nullable() })
  .meta({ id: 'PlatformMe' });

export const ListOrganizationsQuery = ListQuery(
  { kyc: z.enum(KYC_STATUSES, `Must be one of ${KYC_STATUSES.join(', ')}.`).optional() },
  { isPosition: (position) => isCreationPosition(position, 'organization'), maxOffset: ANY_OFFSET },
);
export type ListOrganizationsInput = z.output<typeof ListOrganizationsQuery>;

const Rate = z.object({ payments: z.int(), writes: z.int(), reads: z.int() });

export const PlatformOrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    requested_legal_name: z.string().nullable().default(null),
    kyc: z.enum(KYC_STATUSES),
    plan: z.enum(PLAN_NAMES),
    created_at: z.string(),
    rate: Rate.default(DEFAULT_RATE),
    capacity: z
      .object({ list_shards: z.int().default(maxListShards(undefined)) })
      .default({ list_shards: maxListShards(undefined) }),
  })
  .meta({ id: 'PlatformOrganization' });

export const ListOrganizationsReply = z
  .object({ organizations: z.array(PlatformOrganizationReply).readonly(), pagination: Pagination })
  .meta({ id: 'PlatformOrganizationList' });

const OrgId = z.string('Must be the id of an organization.').meta({ example: 'org_01jzzzzzzzfz0a1b2c3d4e5f6g' });

export const ApproveKycBody = z
  .strictObject({
    org_id: OrgId,
    legal_name: Text(200).nullable().optional(),
  })
  .meta({ id: 'ApproveKyc' });
export type ApproveKycInput = z.output<typeof ApproveKycBody>;

export const RejectKycBody = z
  .strictObject({
    org_id: OrgId,
    reason: Text(1_000).refine((text) => text.trim() !== '', 'Must give a reason.'),
    legal_name: Text(200).nullable().optional(),
  })
  .meta({ id: 'RejectKyc' });

export type RejectKycInput = z.output<typeof RejectKycBody>;

export const SetPlanBody = z
  .strictObject({ plan: z.enum(PLAN_NAMES, `Must be one of ${PLAN_NAMES.join(', ')}.`) })
  .meta({ id: 'SetPlan' });
export type SetPlanInput = z.output<typeof SetPlanBody>;

const PerMinute = (name: RateClass) =>
  z
    .int('Must be a whole number.')
    .min(DEFAULT_RATE[name], `Must be at least ${DEFAULT_RATE[name]}, which everybody has.`)
    .max(MAX_RATE, `Must be at most ${MAX_RATE}.`);

export const SetRateBody = z
  .strictObject({ payments: PerMinute('payments'), writes: PerMinute('writes'), reads: PerMinute('reads') })
  .meta({ id: 'SetRate' });
export type SetRateInput = z.output<typeof SetRateBody>;

const ListShards = z
  .literal([...LIST_SHARD_COUNTS], `Must be ${LIST_SHARD_COUNTS.join(' or ')}.`)
  .meta({ type: 'integer' });

export const SetCapacityBody = z.strictObject({ list_shards: ListShards }).meta({ id: 'SetCapacity' });
export type SetCapacityInput = z.output<typeof SetCapacityBody>;

export const ListAdminsQuery = ListQuery(
  {},
  {
    isPosition: (position) => isCreationPosition(position, 'user'),
    maxOffset: ANY_OFFSET,
  },
);
export type ListAdminsInput = z.output<typeof ListAdminsQuery>;

export const SaveAdminBody = z
  .strictObject({ email: Email, role: z.enum(PLATFORM_ROLES, `Must be one of ${PLATFORM_ROLES.join(', ')}.`) })
  .meta({ id: 'SavePlatformAdmin' });
export type SaveAdminInput = z.output<typeof SaveAdminBody>;

export const AdminReply = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(PLATFORM_ROLES),
    created_at: z.string(),
  })
  .meta({ id: 'PlatformAdmin' });

export const ListAdminsReply = z
  .object({
    admins: z.array(AdminReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'PlatformAdminList' });

export const ListAuditQuery = ListQuery({}, { isPosition: (position) => isId('act', position), maxOffset: ANY_OFFSET });
export type ListAuditInput = z.output<typeof ListAuditQuery>;

const Change = z.object({ from: z.string().nullable(), to: z.string().nullable() });

export const AuditEntryReply = z
  .object({
    id: z.string(),
    actor_id: z.string(),
    actor_email: z.string(),
    action: z.enum(PLATFORM_ACTIONS),
    target: z.object({ type: z.enum(['organization', 'user']), id: z.string(), name: z.string() }),
    metadata: z.object({
      changes: z.record(z.string(), Change),
      reason: z.string().nullable(),
      legal_name: z.string().nullable().optional(),
    }),
    created_at: z.string(),
  })
  .meta({ id: 'PlatformAct' });

export const AuditLogReply = z
  .object({ entries: z.array(AuditEntryReply).readonly(), pagination: Pagination })
  .meta({ id: 'PlatformAudit' });
