import * as z from 'zod';
import { KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { PLATFORM_ACTIONS } from '#shared/domain/accounts/platform.model.ts';
import { PLATFORM_ROLES } from '#shared/domain/reference/roles.catalog.ts';
import { ANY_OFFSET, Email, IdParam, ListQuery, Text } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const OrganizationById = IdParam('organization');
export const AdminById = IdParam('user');

export const PlatformMeReply = z.object({ is_admin: z.boolean(), role: z.enum(PLATFORM_ROLES).nullable() }).meta({
  id: 'PlatformMe',
  description: 'What whoever is signed in may do on the platform; `role` is null for most.',
});

/** A cursor position: a time, and the id of what was made then; sorts also where ids hold no time. */
const isPlaceOf = (kind: 'organization' | 'user') => (position: string) => {
  const [at = '', id = ''] = position.split('#');
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(at) && isId(kind, id) && position === `${at}#${id}`;
};

export const ListOrganizationsQuery = ListQuery(
  { kyc: z.enum(KYC_STATUSES, `Must be one of ${KYC_STATUSES.join(', ')}.`).optional() },
  { isPosition: isPlaceOf('organization'), mostOffset: ANY_OFFSET },
);
export type ListOrganizationsInput = z.output<typeof ListOrganizationsQuery>;

export const PlatformOrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    kyc: z.enum(KYC_STATUSES).meta({ description: 'Only an `approved` one uses live keys.' }),
    plan: z.enum(PLAN_NAMES),
    created_at: z.string(),
  })
  .meta({ id: 'PlatformOrganization' });

const HasMore = z.object({ limit: z.number(), offset: z.number(), has_more: z.boolean() });

export const ListOrganizationsReply = z
  .object({ organizations: z.array(PlatformOrganizationReply).readonly(), pagination: HasMore })
  .meta({ id: 'PlatformOrganizationList' });

const OrgId = z.string('Must be the id of an organization.').meta({ example: 'org_01jzzzzzzzfz0a1b2c3d4e5f6g' });

export const ApproveKycBody = z
  .strictObject({
    org_id: OrgId,
    legal_name: Text(200).nullable().optional().meta({
      description:
        'Whose identity was looked at: 409 `legal_name_changed` where the organization has another one by now.',
    }),
  })
  .meta({
    id: 'ApproveKyc',
    description:
      'Approves the organization under the `legal_name` that it has at this moment, whatever was looked at before, unless the body names one. Live keys work from the next request on.',
  });
export type ApproveKycInput = z.output<typeof ApproveKycBody>;

export const RejectKycBody = z
  .strictObject({ org_id: OrgId, reason: Text(1_000).refine((text) => text.trim() !== '', 'Must say why.') })
  .meta({
    id: 'RejectKyc',
    description:
      'Also withdraws an approval: live keys are refused from the next request on. `reason` stands in the audit log.',
  });

export const SetPlanBody = z
  .strictObject({ plan: z.enum(PLAN_NAMES, `Must be one of ${PLAN_NAMES.join(', ')}.`) })
  .meta({ id: 'SetPlan' });
export type SetPlanInput = z.output<typeof SetPlanBody>;

export const ListAdminsQuery = ListQuery({}, { isPosition: isPlaceOf('user'), mostOffset: ANY_OFFSET });
export type ListAdminsInput = z.output<typeof ListAdminsQuery>;

export const SaveAdminBody = z
  .strictObject({ email: Email, role: z.enum(PLATFORM_ROLES, `Must be one of ${PLATFORM_ROLES.join(', ')}.`) })
  .meta({
    id: 'SavePlatformAdmin',
    description:
      'Adds somebody, also one who has never signed in, or gives an administrator another role. Nothing is mailed.',
  });
export type SaveAdminInput = z.output<typeof SaveAdminBody>;

export const AdminReply = z
  .object({
    id: z.string().meta({ description: "The user's." }),
    email: z.string(),
    role: z.enum(PLATFORM_ROLES),
    created_at: z.string(),
  })
  .meta({ id: 'PlatformAdmin' });

export const ListAdminsReply = z
  .object({
    admins: z.array(AdminReply).readonly(),
    pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
  })
  .meta({ id: 'PlatformAdminList' });

export const ListActsQuery = ListQuery({}, { isPosition: (position) => isId('act', position), mostOffset: ANY_OFFSET });
export type ListActsInput = z.output<typeof ListActsQuery>;

const Change = z.object({ from: z.string().nullable(), to: z.string().nullable() });

export const ActReply = z
  .object({
    id: z.string(),
    actor_id: z.string(),
    actor_email: z.string(),
    action: z.enum(PLATFORM_ACTIONS),
    target: z.object({ type: z.enum(['organization', 'user']), id: z.string(), name: z.string() }),
    metadata: z.object({
      changes: z
        .record(z.string(), Change)
        .meta({ description: 'Where both are the same, what stood already was said again.' }),
      reason: z.string().nullable(),
      legal_name: z
        .string()
        .nullable()
        .optional()
        .meta({ description: 'Of a decision about an identity: whose it was.' }),
    }),
    created_at: z.string(),
  })
  .meta({
    id: 'PlatformAct',
    description:
      'What somebody has done as an administrator of the platform. It is written with the act itself, and never changed.',
  });

export const ListActsReply = z
  .object({ entries: z.array(ActReply).readonly(), pagination: HasMore })
  .meta({ id: 'PlatformAudit' });
