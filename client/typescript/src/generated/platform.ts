// Written by `npm run client` from the route table. Do not edit.
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  ApproveKyc,
  ApproveRecovery,
  Deleted,
  PlatformAct,
  PlatformAdmin,
  PlatformAdminList,
  PlatformAudit,
  PlatformMe,
  PlatformOrganization,
  PlatformOrganizationList,
  PlatformRecovery,
  PlatformRecoveryList,
  RejectKyc,
  RejectRecovery,
  SavePlatformAdmin,
  SetCapacity,
  SetPlan,
  SetRate,
} from './schemas.ts';

export type ListOrganizationsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
  kyc?: 'pending' | 'approved' | 'rejected';
};

export type ListAdminsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListRecoveriesQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export type ListActsQuery = {
  limit?: number;
  offset?: number;
  /** From the `Link` header of the page before: such a page costs the same wherever it is in the list. */
  cursor?: string;
};

export const platform = (call: Call) => ({
  /**
   * Get my platform role.
   * `GET /v1/platform/me`: For any signed-in user. Counts among the 500 reads a minute.
   */
  getMe: (input?: NoInput, options?: RequestOptions): Promise<PlatformMe> =>
    call.get('/v1/platform/me', input, options),

  /**
   * List all organizations.
   * `GET /v1/platform/organizations`: Requires the platform role `platform_admin` or `platform_owner`. Counts among
   * the 500 reads a minute.
   */
  listOrganizations: (
    input?: ListOrganizationsQuery,
    options?: RequestOptions,
  ): List<PlatformOrganization, PlatformOrganizationList> =>
    call.list('/v1/platform/organizations', 'organizations', input, options),

  /**
   * Change an organization's plan.
   * `POST /v1/platform/organizations/{id}/plan`: Requires the platform role `platform_admin` or `platform_owner`.
   * Counts among the 100 other writes a minute. With a session it needs a proof of identity that is less than 10
   * minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  setPlan: (id: string, input: SetPlan, options?: RequestOptions): Promise<PlatformOrganization> =>
    call.change('POST', path`/v1/platform/organizations/${id}/plan`, input, options),

  /**
   * Change the rate limits of an organization's API keys.
   * `POST /v1/platform/organizations/{id}/rate`: Requires the platform role `platform_admin` or `platform_owner`.
   * Counts among the 100 other writes a minute. With a session it needs a proof of identity that is less than 10
   * minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  setRate: (id: string, input: SetRate, options?: RequestOptions): Promise<PlatformOrganization> =>
    call.change('POST', path`/v1/platform/organizations/${id}/rate`, input, options),

  /**
   * Spread an organization's lists over more partitions.
   * `POST /v1/platform/organizations/{id}/capacity`: Requires the platform role `platform_admin` or
   * `platform_owner`. Counts among the 100 other writes a minute. With a session it needs a proof of identity that
   * is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  setCapacity: (id: string, input: SetCapacity, options?: RequestOptions): Promise<PlatformOrganization> =>
    call.change('POST', path`/v1/platform/organizations/${id}/capacity`, input, options),

  /**
   * Approve an organization's identity.
   * `POST /v1/platform/kyc/approve`: Requires the platform role `platform_admin` or `platform_owner`. Counts among
   * the 100 other writes a minute. With a session it needs a proof of identity that is less than 10 minutes old: a
   * sign-in, or `POST /v1/auth/prove`.
   */
  approveKyc: (input: ApproveKyc, options?: RequestOptions): Promise<PlatformOrganization> =>
    call.change('POST', '/v1/platform/kyc/approve', input, options),

  /**
   * Reject an organization's identity.
   * `POST /v1/platform/kyc/reject`: Requires the platform role `platform_admin` or `platform_owner`. Counts among
   * the 100 other writes a minute. With a session it needs a proof of identity that is less than 10 minutes old: a
   * sign-in, or `POST /v1/auth/prove`.
   */
  rejectKyc: (input: RejectKyc, options?: RequestOptions): Promise<PlatformOrganization> =>
    call.change('POST', '/v1/platform/kyc/reject', input, options),

  /**
   * List the administrators.
   * `GET /v1/platform/admins`: Requires the platform role `platform_owner`. Counts among the 500 reads a minute.
   */
  listAdmins: (input?: ListAdminsQuery, options?: RequestOptions): List<PlatformAdmin, PlatformAdminList> =>
    call.list('/v1/platform/admins', 'admins', input, options),

  /**
   * Add an administrator, or change an administrator's role.
   * `POST /v1/platform/admins`: Requires the platform role `platform_owner`. Counts among the 100 other writes a
   * minute. With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   */
  saveAdmin: (input: SavePlatformAdmin, options?: RequestOptions): Promise<PlatformAdmin> =>
    call.change('POST', '/v1/platform/admins', input, options),

  /**
   * Remove an administrator.
   * `DELETE /v1/platform/admins/{id}`: Requires the platform role `platform_owner`. Counts among the 100 other
   * writes a minute. With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or
   * `POST /v1/auth/prove`.
   */
  removeAdmin: (id: string, input?: NoInput, options?: RequestOptions): Promise<Deleted> =>
    call.change('DELETE', path`/v1/platform/admins/${id}`, input, options),

  /**
   * List the recoveries of accounts.
   * `GET /v1/platform/recoveries`: Requires the platform role `platform_admin` or `platform_owner`. Counts among
   * the 500 reads a minute.
   */
  listRecoveries: (
    input?: ListRecoveriesQuery,
    options?: RequestOptions,
  ): List<PlatformRecovery, PlatformRecoveryList> =>
    call.list('/v1/platform/recoveries', 'recoveries', input, options),

  /**
   * Approve the recovery of an account.
   * `POST /v1/platform/recoveries/{id}/approve`: Requires the platform role `platform_admin` or `platform_owner`.
   * Counts among the 100 other writes a minute. With a session it needs a proof of identity that is less than 10
   * minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  approveRecovery: (id: string, input: ApproveRecovery, options?: RequestOptions): Promise<PlatformRecovery> =>
    call.change('POST', path`/v1/platform/recoveries/${id}/approve`, input, options),

  /**
   * Reject the recovery of an account.
   * `POST /v1/platform/recoveries/{id}/reject`: Requires the platform role `platform_admin` or `platform_owner`.
   * Counts among the 100 other writes a minute. With a session it needs a proof of identity that is less than 10
   * minutes old: a sign-in, or `POST /v1/auth/prove`.
   */
  rejectRecovery: (id: string, input: RejectRecovery, options?: RequestOptions): Promise<PlatformRecovery> =>
    call.change('POST', path`/v1/platform/recoveries/${id}/reject`, input, options),

  /**
   * List the audit log.
   * `GET /v1/platform/audit`: Requires the platform role `platform_admin` or `platform_owner`. Counts among the 500
   * reads a minute.
   */
  listActs: (input?: ListActsQuery, options?: RequestOptions): List<PlatformAct, PlatformAudit> =>
    call.list('/v1/platform/audit', 'entries', input, options),
});
