import {
  getPlatformMe,
  listAdmins,
  listAuditEntries,
  removeAdmin,
  saveAdmin,
} from '#functions/platform/admins.usecase.ts';
import { listOrganizations, setPlan } from '#functions/platform/organizations.usecase.ts';
import * as schema from '#functions/platform/platform.schema.ts';
import { approveKyc, rejectKyc } from '#functions/platform/review-kyc.usecase.ts';
import { type AnyRoute, del, get, list, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

const admin = { access: 'platform', role: 'platform_admin' } as const;
const owner = { access: 'platform', role: 'platform_owner' } as const;
const organization = schema.PlatformOrganizationReply;

export const platformRoutes: readonly AnyRoute[] = [
  get('/v1/platform/me', {
    access: 'signed_in',
    summary: 'Get my platform role',
    reply: schema.PlatformMeReply,
    run: getPlatformMe,
  }),
  list('/v1/platform/organizations', {
    ...admin,
    summary: 'List all organizations',
    query: schema.ListOrganizationsQuery,
    reply: schema.ListOrganizationsReply,
    items: 'organizations',
    run: listOrganizations,
  }),
  post('/v1/platform/organizations/{id}/plan', {
    ...admin,
    summary: "Change an organization's plan",
    params: schema.OrganizationById,
    body: schema.SetPlanBody,
    reply: organization,
    errors: ['write_conflict'],
    run: setPlan,
  }),
  post('/v1/platform/kyc/approve', {
    ...admin,
    summary: "Approve an organization's identity",
    body: schema.ApproveKycBody,
    reply: organization,
    errors: ['not_found', 'legal_name_changed', 'write_conflict'],
    run: approveKyc,
  }),
  post('/v1/platform/kyc/reject', {
    ...admin,
    summary: "Reject an organization's identity",
    body: schema.RejectKycBody,
    reply: organization,
    errors: ['not_found', 'write_conflict'],
    run: rejectKyc,
  }),
  list('/v1/platform/admins', {
    ...owner,
    summary: 'List the administrators',
    query: schema.ListAdminsQuery,
    reply: schema.ListAdminsReply,
    items: 'admins',
    run: listAdmins,
  }),
  post('/v1/platform/admins', {
    ...owner,
    summary: "Add an administrator, or change an administrator's role",
    body: schema.SaveAdminBody,
    reply: schema.AdminReply,
    status: 201,
    errors: ['last_platform_owner', 'write_conflict'],
    run: saveAdmin,
  }),
  del('/v1/platform/admins/{id}', {
    ...owner,
    summary: 'Remove an administrator',
    params: schema.AdminById,
    reply: DeletedReply,
    errors: ['last_platform_owner', 'write_conflict'],
    run: removeAdmin,
  }),
  list('/v1/platform/audit', {
    ...admin,
    summary: 'List the audit log',
    operationId: 'listActs',
    query: schema.ListAuditQuery,
    reply: schema.AuditLogReply,
    items: 'entries',
    run: listAuditEntries,
  }),
];
