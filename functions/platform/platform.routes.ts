import {
  getPlatformMe,
  listAdmins,
  listAuditEntries,
  removeAdmin,
  saveAdmin,
} from '#functions/platform/admins.usecase.ts';
import { listOrganizations, setCapacity, setPlan, setRate } from '#functions/platform/organizations.usecase.ts';
import * as schema from '#functions/platform/platform.schema.ts';
import * as recovery from '#functions/platform/recoveries.schema.ts';
import { approveRecovery, listRecoveries, rejectRecovery } from '#functions/platform/recoveries.usecase.ts';
import { approveKyc, rejectKyc } from '#functions/platform/review-kyc.usecase.ts';
import { del, get, list, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

const admin = { access: 'platform', role: 'platform_admin' } as const;
const owner = { access: 'platform', role: 'platform_owner' } as const;
const organization = schema.PlatformOrganizationReply;

export const platformRoutes = [
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
    proof: 'fresh',
    summary: "Change an organization's plan",
    params: schema.OrganizationById,
    body: schema.SetPlanBody,
    reply: organization,
    errors: ['write_conflict'],
    run: setPlan,
  }),
  post('/v1/platform/organizations/{id}/rate', {
    ...admin,
    proof: 'fresh',
    summary: "Change the rate limits of an organization's API keys",
    params: schema.OrganizationById,
    body: schema.SetRateBody,
    reply: organization,
    errors: ['write_conflict'],
    run: setRate,
  }),
  post('/v1/platform/organizations/{id}/capacity', {
    ...admin,
    proof: 'fresh',
    summary: "Spread an organization's lists over more partitions",
    params: schema.OrganizationById,
    body: schema.SetCapacityBody,
    reply: organization,
    errors: ['capacity_only_grows', 'write_conflict'],
    run: setCapacity,
  }),
  post('/v1/platform/kyc/approve', {
    ...admin,
    proof: 'fresh',
    summary: "Approve an organization's identity",
    body: schema.ApproveKycBody,
    reply: organization,
    errors: ['not_found', 'own_organization', 'legal_name_missing', 'legal_name_changed', 'write_conflict'],
    run: approveKyc,
  }),
  post('/v1/platform/kyc/reject', {
    ...admin,
    proof: 'fresh',
    summary: "Reject an organization's identity",
    body: schema.RejectKycBody,
    reply: organization,
    errors: ['not_found', 'legal_name_changed', 'write_conflict'],
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
    proof: 'fresh',
    summary: "Add an administrator, or change an administrator's role",
    body: schema.SaveAdminBody,
    reply: schema.AdminReply,
    status: 201,
    errors: ['last_platform_owner', 'write_conflict'],
    run: saveAdmin,
  }),
  del('/v1/platform/admins/{id}', {
    ...owner,
    proof: 'fresh',
    summary: 'Remove an administrator',
    params: schema.AdminById,
    reply: DeletedReply,
    errors: ['last_platform_owner', 'write_conflict'],
    run: removeAdmin,
  }),
  list('/v1/platform/recoveries', {
    ...admin,
    summary: 'List the recoveries of accounts',
    query: recovery.ListRecoveriesQuery,
    reply: recovery.ListRecoveriesReply,
    items: 'recoveries',
    run: listRecoveries,
  }),
  post('/v1/platform/recoveries/{id}/approve', {
    ...admin,
    proof: 'fresh',
    summary: 'Approve the recovery of an account',
    params: recovery.RecoveryById,
    body: recovery.ApproveRecoveryBody,
    reply: recovery.PlatformRecoveryReply,
    errors: ['own_recovery', 'recovery_not_open', 'write_conflict'],
    run: approveRecovery,
  }),
  post('/v1/platform/recoveries/{id}/reject', {
    ...admin,
    proof: 'fresh',
    summary: 'Reject the recovery of an account',
    params: recovery.RecoveryById,
    body: recovery.RejectRecoveryBody,
    reply: recovery.PlatformRecoveryReply,
    errors: ['own_recovery', 'recovery_not_open', 'write_conflict'],
    run: rejectRecovery,
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
