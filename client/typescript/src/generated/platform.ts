// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
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
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only organizations in this state. */
  kyc?: 'pending' | 'approved' | 'rejected';
};

export type ListPlatformAdminsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListAccountRecoveriesQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export type ListPlatformAuditQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
};

export const platform = (call: Call) => ({
  /**
   * Get my platform role.
   * `GET /v1/platform/me`: For any signed-in user.
   * With examples at `/docs/api/platform#getPlatformRole`.
   */
  getRole: (input?: NoInput, options?: RequestOptions): ApiPromise<PlatformMe> =>
    call.get('/v1/platform/me', input, options),

  /**
   * List all organizations.
   * `GET /v1/platform/organizations`: Requires the platform role `platform_admin` or `platform_owner`.
   * With examples at `/docs/api/platform#listOrganizations`.
   * @throws {PayforkError} `missing_role`, `second_factor_required`
   */
  listOrganizations: (
    input?: ListOrganizationsQuery,
    options?: RequestOptions,
  ): List<PlatformOrganization, PlatformOrganizationList> =>
    call.list('/v1/platform/organizations', 'organizations', input, options),

  /**
   * Change an organization's plan.
   * `POST /v1/platform/organizations/{id}/plan`: Requires the platform role `platform_admin` or `platform_owner`.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   * With examples at `/docs/api/platform#setOrganizationPlan`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `not_found`,
   * `write_conflict`
   */
  setOrganizationPlan: (id: string, input: SetPlan, options?: RequestOptions): ApiPromise<PlatformOrganization> =>
    call.change('POST', path`/v1/platform/organizations/${id}/plan`, input, options),

  /**
   * Change the rate limits of an organization's API keys.
   * `POST /v1/platform/organizations/{id}/rate`: Requires the platform role `platform_admin` or `platform_owner`.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   * With examples at `/docs/api/platform#setOrganizationRate`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `not_found`,
   * `write_conflict`
   */
  setOrganizationRate: (id: string, input: SetRate, options?: RequestOptions): ApiPromise<PlatformOrganization> =>
    call.change('POST', path`/v1/platform/organizations/${id}/rate`, input, options),

  /**
   * Spread an organization's lists over more partitions.
   * `POST /v1/platform/organizations/{id}/capacity`: Requires the platform role `platform_admin` or
   * `platform_owner`. With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or
   * `POST /v1/auth/prove`.
   * With examples at `/docs/api/platform#setOrganizationCapacity`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `not_found`,
   * `capacity_only_grows`, `write_conflict`
   */
  setOrganizationCapacity: (
    id: string,
    input: SetCapacity,
    options?: RequestOptions,
  ): ApiPromise<PlatformOrganization> =>
    call.change('POST', path`/v1/platform/organizations/${id}/capacity`, input, options),

  /**
   * Approve an organization's identity.
   * `POST /v1/platform/kyc/approve`: Requires the platform role `platform_admin` or `platform_owner`. With a
   * session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/platform#approveKyc`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `own_organization`,
   * `not_found`, `legal_name_changed`, `legal_name_missing`, `write_conflict`
   */
  approveKyc: (input: ApproveKyc, options?: RequestOptions): ApiPromise<PlatformOrganization> =>
    call.change('POST', '/v1/platform/kyc/approve', input, options),

  /**
   * Reject an organization's identity.
   * `POST /v1/platform/kyc/reject`: Requires the platform role `platform_admin` or `platform_owner`. With a session
   * it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/platform#rejectKyc`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `not_found`,
   * `legal_name_changed`, `write_conflict`
   */
  rejectKyc: (input: RejectKyc, options?: RequestOptions): ApiPromise<PlatformOrganization> =>
    call.change('POST', '/v1/platform/kyc/reject', input, options),

  /**
   * List the administrators.
   * `GET /v1/platform/admins`: Requires the platform role `platform_owner`.
   * With examples at `/docs/api/platform#listPlatformAdmins`.
   * @throws {PayforkError} `missing_role`, `second_factor_required`
   */
  listAdmins: (input?: ListPlatformAdminsQuery, options?: RequestOptions): List<PlatformAdmin, PlatformAdminList> =>
    call.list('/v1/platform/admins', 'admins', input, options),

  /**
   * Add an administrator, or change an administrator's role.
   * `POST /v1/platform/admins`: Requires the platform role `platform_owner`. With a session it needs a proof of
   * identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/platform#savePlatformAdmin`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `last_platform_owner`,
   * `write_conflict`
   */
  saveAdmin: (input: SavePlatformAdmin, options?: RequestOptions): ApiPromise<PlatformAdmin> =>
    call.change('POST', '/v1/platform/admins', input, options),

  /**
   * Remove an administrator.
   * `DELETE /v1/platform/admins/{id}`: Requires the platform role `platform_owner`. With a session it needs a proof
   * of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/platform#removePlatformAdmin`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `not_found`,
   * `last_platform_owner`, `write_conflict`
   */
  removeAdmin: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/platform/admins/${id}`, input, options),

  /**
   * List the recoveries of accounts.
   * `GET /v1/platform/recoveries`: Requires the platform role `platform_admin` or `platform_owner`.
   * With examples at `/docs/api/platform#listAccountRecoveries`.
   * @throws {PayforkError} `missing_role`, `second_factor_required`
   */
  listAccountRecoveries: (
    input?: ListAccountRecoveriesQuery,
    options?: RequestOptions,
  ): List<PlatformRecovery, PlatformRecoveryList> =>
    call.list('/v1/platform/recoveries', 'recoveries', input, options),

  /**
   * Approve the recovery of an account.
   * `POST /v1/platform/recoveries/{id}/approve`: Requires the platform role `platform_admin` or `platform_owner`.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   * With examples at `/docs/api/platform#approveAccountRecovery`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `own_recovery`,
   * `not_found`, `recovery_not_open`, `write_conflict`
   */
  approveAccountRecovery: (
    id: string,
    input: ApproveRecovery,
    options?: RequestOptions,
  ): ApiPromise<PlatformRecovery> =>
    call.change('POST', path`/v1/platform/recoveries/${id}/approve`, input, options),

  /**
   * Reject the recovery of an account.
   * `POST /v1/platform/recoveries/{id}/reject`: Requires the platform role `platform_admin` or `platform_owner`.
   * With a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST
   * /v1/auth/prove`.
   * With examples at `/docs/api/platform#rejectAccountRecovery`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `second_factor_required`, `own_recovery`,
   * `not_found`, `recovery_not_open`, `write_conflict`
   */
  rejectAccountRecovery: (id: string, input: RejectRecovery, options?: RequestOptions): ApiPromise<PlatformRecovery> =>
    call.change('POST', path`/v1/platform/recoveries/${id}/reject`, input, options),

  /**
   * List the audit log.
   * `GET /v1/platform/audit`: Requires the platform role `platform_admin` or `platform_owner`.
   * With examples at `/docs/api/platform#listPlatformAudit`.
   * @throws {PayforkError} `missing_role`, `second_factor_required`
   */
  listAudit: (input?: ListPlatformAuditQuery, options?: RequestOptions): List<PlatformAct, PlatformAudit> =>
    call.list('/v1/platform/audit', 'entries', input, options),
});
