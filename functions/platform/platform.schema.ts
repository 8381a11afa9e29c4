import * as z from 'zod';
import { KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { PLATFORM_ACTIONS } from '#shared/domain/accounts/platform.model.ts';
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

export const PlatformMeReply = z.object({ is_admin: z.boolean(), role: z.enum(PLATFORM_ROLES).nullable() }).meta({
  id: 'PlatformMe',
  description: "The signed-in user's role on the platform. `role` is null for users who are not administrators.",
});

export const ListOrganizationsQuery = ListQuery(
  { kyc: z.enum(KYC_STATUSES, `Must be one of ${KYC_STATUSES.join(', ')}.`).optional() },
  { isPosition: (position) => isCreationPosition(position, 'organization'), maxOffset: ANY_OFFSET },
);
export type ListOrganizationsInput = z.output<typeof ListOrganizationsQuery>;

export const PlatformOrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    requested_legal_name: z
      .string()
      .nullable()
      .default(null)
      .meta({ description: 'The legal name that waits for approval. Until then `legal_name` stays.' }),
    kyc: z.enum(KYC_STATUSES).meta({ description: 'Live keys work only while it is `approved`.' }),
    plan: z.enum(PLAN_NAMES),
    created_at: z.string(),
  })
  .meta({ id: 'PlatformOrganization' });

export const ListOrganizationsReply = z
  .object({ organizations: z.array(PlatformOrganizationReply).readonly(), pagination: Pagination })
  .meta({ id: 'PlatformOrganizationList' });

const OrgId = z.string('Must be the id of an organization.').meta({ example: 'org_01jzzzzzzzfz0a1b2c3d4e5f6g' });

export const ApproveKycBody = z
  .strictObject({
    org_id: OrgId,
    legal_name: Text(200)
      .nullable()
      .optional()
      .meta({
        description:
          'The name that was verified: `legal_name`, or `requested_legal_name`, which takes effect with that. ' +
          'Returns 409 `legal_name_changed` if the organization has another one by now.',
      }),
  })
  .meta({
    id: 'ApproveKyc',
    description:
      'Approves the organization under its current `legal_name`. ' +
      'Send `legal_name` to approve it only if it still has that name, or to approve the requested one. ' +
      'An organization without a legal name is not approved, nor one of which the caller is a member while the ' +
      'platform has another administrator. ' +
      'Live keys work from the next request on.',
  });
export type ApproveKycInput = z.output<typeof ApproveKycBody>;

export const RejectKycBody = z
  .strictObject({
    org_id: OrgId,
    reason: Text(1_000).refine((text) => text.trim() !== '', 'Must give a reason.'),
    legal_name: Text(200)
      .nullable()
      .optional()
      .meta({
        description:
          'The name that was reviewed. With `requested_legal_name`, only that request is rejected: `legal_name` and ' +
          '`kyc` stay.',
      }),
  })
  .meta({
    id: 'RejectKyc',
    description:
      'Also withdraws an approval: live keys are refused from the next request on. The audit log keeps `reason`.',
  });

export type RejectKycInput = z.output<typeof RejectKycBody>;

export const SetPlanBody = z
  .strictObject({ plan: z.enum(PLAN_NAMES, `Must be one of ${PLAN_NAMES.join(', ')}.`) })
  .meta({ id: 'SetPlan' });
export type SetPlanInput = z.output<typeof SetPlanBody>;

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
  .meta({
    id: 'SavePlatformAdmin',
    description:
      'Adds an administrator, who need not have signed in before, or changes the role of one. No email is sent.',
  });
export type SaveAdminInput = z.output<typeof SaveAdminBody>;

export const AdminReply = z
  .object({
    id: z.string().meta({ description: 'The id of the user.' }),
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
      changes: z
        .record(z.string(), Change)
        .meta({ description: '`from` and `to` are the same if the decision confirmed the current value.' }),
      reason: z.string().nullable(),
      legal_name: z
        .string()
        .nullable()
        .optional()
        .meta({ description: 'For decisions about an identity: the legal name that was verified.' }),
    }),
    created_at: z.string(),
  })
  .meta({
    id: 'PlatformAct',
    description:
      'A change that an administrator of the platform made. It is written together with the change and never edited.',
  });

export const AuditLogReply = z
  .object({ entries: z.array(AuditEntryReply).readonly(), pagination: Pagination })
  .meta({ id: 'PlatformAudit' });
