// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  AddMember,
  AgentApproval,
  AgentApprovalList,
  AgentLimits,
  ChangeAgentLimits,
  ChangeOrganizationSettings,
  Deleted,
  Member,
  MemberList,
  Organization,
  OrganizationAudit,
  OrganizationSettings,
  RenameOrganization,
} from './schemas.ts';

export type ListAgentApprovalsQuery = {
  /** The most objects that a page may have. */
  limit?: number;
  /** How many objects to skip. */
  offset?: number;
  /**
   * From the `Link` header or `next_cursor` of the page before: such a page costs the same wherever it is in the
   * list.
   */
  cursor?: string;
  /** Only those that wait for a person. */
  status?: 'pending';
};

export type ListOrganizationAuditQuery = {
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

export type ListMembersQuery = {
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

export const organizations = (call: Call) => ({
  /**
   * Get what agents may move without a person.
   * `GET /v1/organization/agent-limits`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/organizations#getAgentLimits`.
   * @throws {PayforkError} `missing_role`
   */
  getAgentLimits: (input?: NoInput, options?: RequestOptions): ApiPromise<AgentLimits> =>
    call.get('/v1/organization/agent-limits', input, options),

  /**
   * Change what agents may move without a person.
   * `PATCH /v1/organization/agent-limits`: For members of the organization with the role `admin` or higher. With a
   * session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/organizations#updateAgentLimits`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `write_conflict`
   */
  updateAgentLimits: (input: ChangeAgentLimits, options?: RequestOptions): ApiPromise<AgentLimits> =>
    call.change('PATCH', '/v1/organization/agent-limits', input, options),

  /**
   * List requests of agents that need a person.
   * `GET /v1/agent-approvals`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/organizations#listAgentApprovals`.
   * @throws {PayforkError} `missing_role`
   */
  listAgentApprovals: (
    input?: ListAgentApprovalsQuery,
    options?: RequestOptions,
  ): List<AgentApproval, AgentApprovalList> =>
    call.list('/v1/agent-approvals', 'agent_approvals', input, options),

  /**
   * Get a request of an agent that needs a person.
   * `GET /v1/agent-approvals/{id}`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/organizations#getAgentApproval`.
   * @throws {PayforkError} `missing_role`, `not_found`
   */
  getAgentApproval: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AgentApproval> =>
    call.get(path`/v1/agent-approvals/${id}`, input, options),

  /**
   * Approve a request of an agent.
   * `POST /v1/agent-approvals/{id}/approve`: For members of the organization with the role `member` or higher. With
   * a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/organizations#approveAgentRequest`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_scope`, `missing_role`, `not_found`,
   * `approval_not_open`, `write_conflict`
   */
  approveAgentRequest: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AgentApproval> =>
    call.change('POST', path`/v1/agent-approvals/${id}/approve`, input, options),

  /**
   * Reject a request of an agent.
   * `POST /v1/agent-approvals/{id}/reject`: For members of the organization with the role `member` or higher. With
   * a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/organizations#rejectAgentRequest`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_scope`, `missing_role`, `not_found`,
   * `approval_not_open`, `write_conflict`
   */
  rejectAgentRequest: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AgentApproval> =>
    call.change('POST', path`/v1/agent-approvals/${id}/reject`, input, options),

  /**
   * Get the organization.
   * `GET /v1/organization`: For members of the organization with the role `viewer` or higher, and for every key of
   * the organization except public ones.
   * With examples at `/docs/api/organizations#getOrganization`.
   * @throws {PayforkError} `missing_role`
   */
  get: (input?: NoInput, options?: RequestOptions): ApiPromise<Organization> =>
    call.get('/v1/organization', input, options),

  /**
   * Rename the organization.
   * `PATCH /v1/organization`: For members of the organization with the role `admin` or higher.
   * With examples at `/docs/api/organizations#updateOrganization`.
   * @throws {PayforkError} `missing_role`, `write_conflict`
   */
  update: (input: RenameOrganization, options?: RequestOptions): ApiPromise<Organization> =>
    call.change('PATCH', '/v1/organization', input, options),

  /**
   * Get what customers see of the organization.
   * `GET /v1/organization/settings`: For members of the organization with the role `viewer` or higher, and for
   * every key of the organization except public ones.
   * With examples at `/docs/api/organizations#getOrganizationSettings`.
   * @throws {PayforkError} `missing_role`
   */
  getSettings: (input?: NoInput, options?: RequestOptions): ApiPromise<OrganizationSettings> =>
    call.get('/v1/organization/settings', input, options),

  /**
   * Change what customers see of the organization.
   * `PATCH /v1/organization/settings`: For members of the organization with the role `admin` or higher.
   * With examples at `/docs/api/organizations#updateOrganizationSettings`.
   * @throws {PayforkError} `missing_role`, `write_conflict`
   */
  updateSettings: (input: ChangeOrganizationSettings, options?: RequestOptions): ApiPromise<OrganizationSettings> =>
    call.change('PATCH', '/v1/organization/settings', input, options),

  /**
   * List changes of the organization's keys, members and names.
   * `GET /v1/organization/audit`: Requires the scope `connections:read`.
   * With examples at `/docs/api/organizations#listOrganizationAudit`.
   */
  listAudit: (
    input?: ListOrganizationAuditQuery,
    options?: RequestOptions,
  ): List<OrganizationAudit, readonly OrganizationAudit[]> =>
    call.list('/v1/organization/audit', null, input, options),

  /**
   * List members.
   * `GET /v1/members`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/organizations#listMembers`.
   * @throws {PayforkError} `missing_role`
   */
  listMembers: (input?: ListMembersQuery, options?: RequestOptions): List<Member, MemberList> =>
    call.list('/v1/members', 'members', input, options),

  /**
   * Invite a member, or change a member's role.
   * `POST /v1/members`: For members of the organization with the role `admin` or higher.
   * With examples at `/docs/api/organizations#addMember`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `last_owner`, `member_limit_reached`,
   * `write_conflict`
   */
  addMember: (input: AddMember, options?: RequestOptions): ApiPromise<Member> =>
    call.change('POST', '/v1/members', input, options),

  /**
   * Remove a member, or leave; removing others requires the role admin, removing an owner the role owner.
   * `DELETE /v1/members/{id}`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/organizations#removeMember`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `not_found`, `last_owner`, `write_conflict`
   */
  removeMember: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<Deleted> =>
    call.change('DELETE', path`/v1/members/${id}`, input, options),
});
