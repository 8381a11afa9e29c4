import { addMember } from '#functions/organizations/add-member.usecase.ts';
import { listMembers, removeMember } from '#functions/organizations/members.usecase.ts';
import {
  changeOrganizationSettings,
  getOrganization,
  getOrganizationSettings,
  listOrganizationAudit,
  renameOrganization,
} from '#functions/organizations/organization.usecase.ts';
import {
  AddMemberBody,
  ChangeSettingsBody,
  ListMembersQuery,
  ListMembersReply,
  ListOrganizationAuditQuery,
  ListOrganizationAuditReply,
  MemberById,
  MemberReply,
  OrganizationReply,
  OrganizationSettingsReply,
  RenameOrganizationBody,
} from '#functions/organizations/organizations.schema.ts';
import { del, get, list, patch, post } from '#shared/http/route.ts';
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
    errors: ['write_conflict'],
    operationId: 'updateOrganization',
    run: renameOrganization,
  }),
  get('/v1/organization/settings', {
    access: 'member',
    role: 'viewer',
    keys: true,
    summary: 'Get what customers see of the organization',
    reply: OrganizationSettingsReply,
    run: getOrganizationSettings,
  }),
  patch('/v1/organization/settings', {
    access: 'member',
    role: 'admin',
    summary: 'Change what customers see of the organization',
    body: ChangeSettingsBody,
    reply: OrganizationSettingsReply,
    errors: ['write_conflict'],
    operationId: 'updateOrganizationSettings',
    run: changeOrganizationSettings,
  }),
  list('/v1/organization/audit', {
    scope: 'connections:read',
    summary: "List changes of the organization's keys, members and names",
    query: ListOrganizationAuditQuery,
    reply: ListOrganizationAuditReply,
    run: listOrganizationAudit,
  }),
  list('/v1/members', {
    access: 'member',
    role: 'viewer',
    summary: 'List members',
    query: ListMembersQuery,
    reply: ListMembersReply,
    items: 'members',
    run: listMembers,
  }),
  post('/v1/members', {
    access: 'member',
    role: 'admin',
    summary: "Invite a member, or change a member's role",
    body: AddMemberBody,
    reply: MemberReply,
    status: 201,
    errors: ['last_owner', 'member_limit_reached', 'fresh_proof_required', 'write_conflict'],
    run: addMember,
  }),
  // Every member may leave; the use case requires a role to remove another member.
  del('/v1/members/{id}', {
    access: 'member',
    role: 'viewer',
    summary: 'Remove a member, or leave; removing others requires the role admin, removing an owner the role owner',
    params: MemberById,
    reply: DeletedReply,
    errors: ['last_owner', 'fresh_proof_required', 'write_conflict'],
    run: removeMember,
  }),
];
