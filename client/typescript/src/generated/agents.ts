// Written by `npm run client` from the route table. Do not edit.
import type { ApiPromise } from '../api-promise.ts';
import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { NoInput, RequestOptions } from '../options.ts';
import { path } from '../path.ts';
import type {
  AgentApproval,
  AgentApprovalList,
  AgentLimits,
  ChangeAgentLimits,
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

export const agents = (call: Call) => ({
  /**
   * Get what agents may move without a person.
   * `GET /v1/organization/agent-limits`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/agents#getAgentLimits`.
   * @throws {PayforkError} `missing_role`
   */
  getLimits: (input?: NoInput, options?: RequestOptions): ApiPromise<AgentLimits> =>
    call.get('/v1/organization/agent-limits', input, options),

  /**
   * Change what agents may move without a person.
   * `PATCH /v1/organization/agent-limits`: For members of the organization with the role `admin` or higher. With a
   * session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/agents#updateAgentLimits`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_role`, `write_conflict`
   */
  updateLimits: (input: ChangeAgentLimits, options?: RequestOptions): ApiPromise<AgentLimits> =>
    call.change('PATCH', '/v1/organization/agent-limits', input, options),

  /**
   * List requests of agents that need a person.
   * `GET /v1/agent-approvals`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/agents#listAgentApprovals`.
   * @throws {PayforkError} `missing_role`
   */
  listApprovals: (input?: ListAgentApprovalsQuery, options?: RequestOptions): List<AgentApproval, AgentApprovalList> =>
    call.list('/v1/agent-approvals', 'agent_approvals', input, options),

  /**
   * Get a request of an agent that needs a person.
   * `GET /v1/agent-approvals/{id}`: For members of the organization with the role `viewer` or higher.
   * With examples at `/docs/api/agents#getAgentApproval`.
   * @throws {PayforkError} `missing_role`, `not_found`
   */
  getApproval: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AgentApproval> =>
    call.get(path`/v1/agent-approvals/${id}`, input, options),

  /**
   * Approve a request of an agent.
   * `POST /v1/agent-approvals/{id}/approve`: For members of the organization with the role `member` or higher. With
   * a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/agents#approveAgentRequest`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_scope`, `missing_role`, `not_found`,
   * `approval_not_open`, `write_conflict`
   */
  approveRequest: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AgentApproval> =>
    call.change('POST', path`/v1/agent-approvals/${id}/approve`, input, options),

  /**
   * Reject a request of an agent.
   * `POST /v1/agent-approvals/{id}/reject`: For members of the organization with the role `member` or higher. With
   * a session it needs a proof of identity that is less than 10 minutes old: a sign-in, or `POST /v1/auth/prove`.
   * With examples at `/docs/api/agents#rejectAgentRequest`.
   * @throws {PayforkError} `fresh_proof_required`, `missing_scope`, `missing_role`, `not_found`,
   * `approval_not_open`, `write_conflict`
   */
  rejectRequest: (id: string, input?: NoInput, options?: RequestOptions): ApiPromise<AgentApproval> =>
    call.change('POST', path`/v1/agent-approvals/${id}/reject`, input, options),
});
