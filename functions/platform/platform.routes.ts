import { approveKyc } from '#functions/platform/approve-kyc.usecase.ts';
import { getPlatformMe } from '#functions/platform/get-platform-me.usecase.ts';
import { listActs } from '#functions/platform/list-acts.usecase.ts';
import { listAdmins } from '#functions/platform/list-admins.usecase.ts';
import { listOrganizations } from '#functions/platform/list-organizations.usecase.ts';
import * as schema from '#functions/platform/platform.schema.ts';
import { rejectKyc } from '#functions/platform/reject-kyc.usecase.ts';
import { removeAdmin } from '#functions/platform/remove-admin.usecase.ts';
import { saveAdmin } from '#functions/platform/save-admin.usecase.ts';
import { setPlan } from '#functions/platform/set-plan.usecase.ts';
import { type AnyRoute, del, get, post } from '#shared/http/route.ts';
import { DeletedReply } from '#shared/http/schema/common.schema.ts';

const admin = { access: 'platform', role: 'platform_admin' } as const;
const owner = { access: 'platform', role: 'platform_owner' } as const;
const organization = schema.PlatformOrganizationReply;

export const platformRoutes: readonly AnyRoute[] = [
  get('/v1/platform/me', {
    access: 'signed_in',
    summary: 'What I may do on the platform',
    reply: schema.PlatformMeReply,
    run: getPlatformMe,
  }),
  get('/v1/platform/organizations', {
    ...admin,
    summary: 'List all organizations',
    query: schema.ListOrganizationsQuery,
    reply: schema.ListOrganizationsReply,
    run: listOrganizations,
  }),
  post('/v1/platform/organizations/{id}/plan', {
    ...admin,
    summary: 'Put an organization on a plan',
    params: schema.OrganizationById,
    body: schema.SetPlanBody,
    reply: organization,
    run: setPlan,
  }),
  post('/v1/platform/kyc/approve', {
    ...admin,
    summary: 'Approve an identity',
    body: schema.ApproveKycBody,
    reply: organization,
    run: approveKyc,
  }),
  post('/v1/platform/kyc/reject', {
    ...admin,
    summary: 'Reject an identity',
    body: schema.RejectKycBody,
    reply: organization,
    run: rejectKyc,
  }),
  get('/v1/platform/admins', {
    ...owner,
    summary: 'List the administrators',
    query: schema.ListAdminsQuery,
    reply: schema.ListAdminsReply,
    run: listAdmins,
  }),
  post('/v1/platform/admins', {
    ...owner,
    summary: 'Add an administrator, or change the role',
    body: schema.SaveAdminBody,
    reply: schema.AdminReply,
    status: 201,
    run: saveAdmin,
  }),
  del('/v1/platform/admins/{id}', {
    ...owner,
    summary: 'Remove an administrator',
    params: schema.AdminById,
    reply: DeletedReply,
    run: removeAdmin,
  }),
  get('/v1/platform/audit', {
    ...admin,
    summary: 'What administrators did',
    query: schema.ListActsQuery,
    reply: schema.ListActsReply,
    run: listActs,
  }),
];
