import { addMember } from '#functions/organizations/add-member.usecase.ts';
import { getOrganization } from '#functions/organizations/get-organization.usecase.ts';
import { listMembers } from '#functions/organizations/list-members.usecase.ts';
import {
  AddMemberBody,
  ListMembersQuery,
  ListMembersReply,
  MemberById,
  MemberReply,
  OrganizationReply,
  RenameOrganizationBody,
} from '#functions/organizations/organizations.schema.ts';
import { removeMember } from '#functions/organizations/remove-member.usecase.ts';
import { renameOrganization } from '#functions/organizations/rename-organization.usecase.ts';
import { del, get, patch, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

export const organizationRoutes = [
  get('/v1/organization', {
    access: 'member',
    role: 'viewer',
    keys: true,
    summary: 'Get the organization',
    reply: OrganizationReply,
    run: getOrganization,
  }),
  patch('/v1/organization', {
    access: 'member',
    role: 'admin',
    summary: 'Rename the organization',
    body: RenameOrganizationBody,
    reply: OrganizationReply,
    run: renameOrganization,
  }),
  get('/v1/members', {
    access: 'member',
    role: 'viewer',
    summary: 'List members',
    query: ListMembersQuery,
    reply: ListMembersReply,
    run: listMembers,
  }),
  post('/v1/members', {
    access: 'member',
    role: 'admin',
    summary: 'Invite a member, or change what one may do',
    body: AddMemberBody,
    reply: MemberReply,
    status: 201,
    run: addMember,
  }),
  // Every member may leave; the use case asks for a role where it is about another member.
  del('/v1/members/{id}', {
    access: 'member',
    role: 'viewer',
    summary: 'Remove a member, or leave; removing others needs the role admin, and owner where it is an owner',
    params: MemberById,
    reply: DeletedReply,
    run: removeMember,
  }),
];
