import * as z from 'zod';
import { CUSTOMER_LANGUAGES, KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { ORGANIZATION_ACTIONS } from '#shared/domain/accounts/organization-audit.rules.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { ROLES } from '#shared/domain/reference/access.catalog.ts';
import { parsePublicUrl } from '#shared/domain/reference/public-url.rules.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  Email,
  IdParam,
  ListQuery,
  Name,
  PastedUrl,
} from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

const PAGE_URL = 'Must be an https address on the public internet, such as https://shop.example.';
/** Customers' browsers open it. */
const PageUrl = PastedUrl.refine((text) => parsePublicUrl(text).url !== undefined, PAGE_URL);

const PHONE = 'Must be a phone number, such as +44 20 7946 0000.';
const Phone = z
  .string(PHONE)
  .trim()
  .regex(/^\+?[0-9 ()./-]{5,30}$/, PHONE);
const LANGUAGE = `Must be one of ${CUSTOMER_LANGUAGES.join(', ')}.`;

export const OrganizationSettingsReply = z
  .object({
    support_email: z.string().nullable(),
    support_phone: z.string().nullable(),
    website_url: z.string().nullable(),
    logo_url: z.string().nullable(),
    email_receipts: z.boolean(),
    receipt_language: z.enum(CUSTOMER_LANGUAGES),
  })
  .meta({ id: 'OrganizationSettings' });

export const ChangeSettingsBody = z
  .strictObject({
    support_email: Email.nullable().optional(),
    support_phone: Phone.nullable().optional(),
    website_url: PageUrl.nullable().optional(),
    logo_url: PageUrl.nullable().optional(),
    email_receipts: z.boolean('Must be true or false.').optional(),
    receipt_language: z.enum(CUSTOMER_LANGUAGES, LANGUAGE).optional(),
  })
  .meta({ id: 'ChangeOrganizationSettings' });

export type ChangeSettingsInput = z.output<typeof ChangeSettingsBody>;

export const OrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    requested_legal_name: z.string().nullable().default(null),
    kyc: z.enum(KYC_STATUSES),
    plan: z.enum(PLAN_NAMES),
    renamed_by: z.string().nullable(),
    role: z.enum(ROLES).nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'Organization' });

export const RenameOrganizationBody = z
  .strictObject({ name: Name.optional(), legal_name: Name.nullable().optional() })
  .meta({ id: 'RenameOrganization' });
export type RenameOrganizationInput = z.output<typeof RenameOrganizationBody>;

export const MemberById = IdParam('user');

export const AddMemberBody = z
  .strictObject({ email: Email, role: z.enum(ROLES, `Must be one of ${ROLES.join(', ')}.`) })
  .meta({ id: 'AddMember' });
export type AddMemberInput = z.output<typeof AddMemberBody>;

export const MemberReply = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z.enum(['invited', 'active']),
    created_at: z.string(),
    created_by: z.string().nullable(),
    role_given_by: z.string().nullable(),
    invited_at: z.string().nullable(),
    joined_at: z.string().nullable(),
  })
  .meta({ id: 'Member' });

export const ListMembersQuery = ListQuery(
  {},
  {
    isPosition: (position) => {
      const [at = '', id = '', more] = position.split(' ');
      return /^\d{4}-[\dT:.-]+Z$/.test(at) && isId('user', id) && more === undefined;
    },
    maxOffset: ANY_OFFSET,
  },
);
export type ListMembersInput = z.output<typeof ListMembersQuery>;

export const ListMembersReply = z
  .object({
    members: z.array(MemberReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'MemberList' });

export const ListOrganizationAuditQuery = ListQuery(
  {},
  { isPosition: (position) => isId('act', position), maxOffset: ANY_OFFSET },
);
export type ListOrganizationAuditInput = z.output<typeof ListOrganizationAuditQuery>;

const OrganizationAuditReply = z
  .object({
    id: z.string(),
    actor_id: z.string(),
    action: z.enum(ORGANIZATION_ACTIONS),
    target: z.object({
      type: z.enum(['api_key', 'user', 'organization', 'agent_approval']),
      id: z.string(),
      name: z.string().nullable(),
    }),
    metadata: z.object({
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })),
      credential_id: z.string().nullable(),
      claimed_actor_id: z.string().nullable(),
    }),
    created_at: z.string(),
  })
  .meta({ id: 'OrganizationAudit' });
export const ListOrganizationAuditReply = z.array(OrganizationAuditReply);
