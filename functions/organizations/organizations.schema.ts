import * as z from 'zod';
import { MAX_MEMBERS } from '#shared/domain/accounts/members.rules.ts';
import { KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { ACTION_LIMITS } from '#shared/domain/accounts/rate-limits.rules.ts';
import { ROLES } from '#shared/domain/reference/access.catalog.ts';
import { ANY_OFFSET, CountedPagination, Email, IdParam, ListQuery, Name } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const OrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    kyc: z.enum(KYC_STATUSES),
    plan: z.enum(PLAN_NAMES),
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
      '(apart from spelling, punctuation and legal form) or `null` sets `kyc` back to `pending`. ' +
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
      `${ACTION_LIMITS.invitation_to_recipient.limit} times a day per address. A member gets the role. ` +
      'Only owners can grant or remove the role `owner`, and the last owner who has signed in keeps it. ' +
      `An organization can have at most ${MAX_MEMBERS} members.`,
  });
export type AddMemberInput = z.output<typeof AddMemberBody>;

export const MemberReply = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z.enum(['invited', 'active']).describe('`active` once the member has signed in since the invitation.'),
    created_at: z.string(),
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
