import * as z from 'zod';
import { MOST_MEMBERS } from '#shared/domain/accounts/members.rules.ts';
import { KYC_STATUSES } from '#shared/domain/accounts/organization.model.ts';
import { PLAN_NAMES } from '#shared/domain/accounts/plans.catalog.ts';
import { ROLES } from '#shared/domain/reference/roles.catalog.ts';
import { ANY_OFFSET, Email, IdParam, ListQuery, Name } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const OrganizationReply = z
  .object({
    id: z.string(),
    name: z.string(),
    legal_name: z.string().nullable(),
    kyc: z.enum(KYC_STATUSES),
    plan: z.enum(PLAN_NAMES),
    role: z.enum(ROLES).nullable().describe('What the signed-in user is in it; `null` with an API key.'),
    created_at: z.string(),
  })
  .meta({ id: 'Organization' });

export const RenameOrganizationBody = z
  .strictObject({ name: Name.optional(), legal_name: Name.nullable().optional() })
  .meta({
    id: 'RenameOrganization',
    description:
      "What is left out stays. `legal_name` is what identity verification is about: another one than before (spelling, punctuation and legal form aside), or `null`, sets `kyc` back to `pending`, and in production the organization's API keys then stop with the next request, until it is approved again. The name matches of connections stay until they are validated again.",
  });
export type RenameOrganizationInput = z.output<typeof RenameOrganizationBody>;

export const MemberById = IdParam('user');

export const AddMemberBody = z
  .strictObject({ email: Email, role: z.enum(ROLES, `Must be one of ${ROLES.join(', ')}.`) })
  .meta({
    id: 'AddMember',
    description: `Whoever is not a member yet is invited by mail, at most 50 times a day by one organization and 3 times to one address; an address that is a member gets the role. The role \`owner\` is given and taken by owners alone, and the last owner who has signed in since the invitation stays one. An organization has at most ${MOST_MEMBERS} members.`,
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
        'When the invitation was mailed. `null` where none had to be, or it could not be sent: adding the member again sends it.',
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
    mostOffset: ANY_OFFSET,
  },
);
export type ListMembersInput = z.output<typeof ListMembersQuery>;

export const ListMembersReply = z
  .object({
    members: z.array(MemberReply).readonly(),
    pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
  })
  .meta({ id: 'MemberList' });
