import * as z from 'zod';
import { MAX_MEMBERS } from '#shared/domain/accounts/members.rules.ts';
import { CUSTOMER_LANGUAGES, KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { ORGANIZATION_ACTIONS } from '#shared/domain/accounts/organization-audit.rules.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { ACTION_LIMITS } from '#shared/domain/accounts/rate-limits.rules.ts';
import { INVITATION_LIFETIME } from '#shared/domain/accounts/sign-in.model.ts';
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
import { DAY } from '#shared/kernel/clock.ts';
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
    website_url: PageUrl.nullable().optional().describe('The shop: payment pages have a link back to it.'),
    logo_url: PageUrl.nullable()
      .optional()
      .describe("An image on your own server, which customers' browsers load on payment pages."),
    email_receipts: z
      .boolean('Must be true or false.')
      .optional()
      .describe(
        'Whether `customer_email` of a succeeded payment gets a receipt. Off by default. Until identity verification ' +
          'is approved, only members who have signed in get one.',
      ),
    receipt_language: z.enum(CUSTOMER_LANGUAGES, LANGUAGE).optional(),
  })
  .meta({
    id: 'ChangeOrganizationSettings',
    description:
      'What customers see of the organization on payment pages and receipts, beside its `name` and `legal_name`. ' +
      'Omitted fields stay as they are; `null` clears a field.',
  });

export type ChangeSettingsInput = z.output<typeof ChangeSettingsBody>;

export const OrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    requested_legal_name: z
      .string()
      .nullable()
      .default(null)
      .describe('The legal name that waits for approval. Until then `legal_name` stays. `null` if none waits.'),
    kyc: z.enum(KYC_STATUSES),
    plan: z.enum(PLAN_NAMES),
    renamed_by: z.string().nullable().describe('The user who changed a name last. `null` if nobody has.'),
    role: z.enum(ROLES).nullable().describe('The role of the signed-in user; `null` with an API key.'),
    created_at: z.string(),
  })
  .meta({ id: 'Organization' });

export const RenameOrganizationBody = z
  .strictObject({ name: Name.optional(), legal_name: Name.nullable().optional() })
  .meta({
    id: 'RenameOrganization',
    description:
      'Omitted fields stay as they are. Identity verification is about `legal_name`: a different one ' +
      '(apart from spelling, punctuation and legal form) sets `kyc` from `rejected` back to `pending`. ' +
      'While `kyc` is `approved`, only owners can change `legal_name`. A new one waits in ' +
      '`requested_legal_name` and takes effect when it is approved; the current one withdraws the request. ' +
      '`null` sets `kyc` back to `pending`. ' +
      "In production the organization's API keys then stop working, until it is approved again. " +
      'The name matches of connections stay until they are validated again.',
  });
export type RenameOrganizationInput = z.output<typeof RenameOrganizationBody>;

export const MemberById = IdParam('user');

export const AddMemberBody = z
  .strictObject({ email: Email, role: z.enum(ROLES, `Must be one of ${ROLES.join(', ')}.`) })
  .meta({
    id: 'AddMember',
    description:
      'An address that is not a member is invited by email, ' +
      `at most ${ACTION_LIMITS.invitation.limit} times a day per organization and ` +
      `${ACTION_LIMITS.invitation_to_recipient.limit} times a day per address. They become a member with the link of ` +
      `the email, which works for ${INVITATION_LIFETIME / DAY} days; adding them again then sends another one. ` +
      'A member gets the role. ' +
      'Only owners can grant or remove the role `owner`, and the last owner who has signed in keeps it. ' +
      `An organization can have at most ${MAX_MEMBERS} members.`,
  });
export type AddMemberInput = z.output<typeof AddMemberBody>;

export const MemberReply = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z
      .enum(['invited', 'active'])
      .describe('`active` once the member has opened the link of the invitation. Until then they have no access.'),
    created_at: z.string(),
    created_by: z.string().nullable().describe('The user who added the member. `null` if that was not recorded.'),
    role_given_by: z.string().nullable().describe('The user who gave this role. `null` if that was not recorded.'),
    invited_at: z
      .string()
      .nullable()
      .describe(
        'When the invitation was sent. `null` if none was needed, or it could not be sent: add the ' +
          'member again to send it.',
      ),
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
    actor_id: z.string().describe('The user or the API key that acted. Never what `X-Actor-Id` claims.'),
    action: z.enum(ORGANIZATION_ACTIONS),
    target: z.object({
      type: z.enum(['api_key', 'user', 'organization']),
      id: z.string(),
      name: z.string().nullable().describe('`null` for users: `GET /v1/members` shows their addresses.'),
    }),
    metadata: z.object({
      changes: z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() })).describe('By field.'),
      credential_id: z.string().nullable().describe('The API key or the session that was used.'),
      claimed_actor_id: z.string().nullable().describe('`X-Actor-Id` of a call with an API key, as it was sent.'),
    }),
    created_at: z.string(),
  })
  .meta({ id: 'OrganizationAudit' });
export const ListOrganizationAuditReply = z.array(OrganizationAuditReply).meta({
  description: 'API keys, members, roles, names, and the second factors and passkeys of its members. Newest first.',
});
