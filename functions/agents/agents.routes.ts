import {
  approveAgentRequest,
  getAgentApproval,
  listAgentApprovals,
  rejectAgentRequest,
} from '#functions/agents/agent-approvals.usecase.ts';
import { changeAgentLimits, getAgentLimits } from '#functions/agents/agent-limits.usecase.ts';
import {
  AgentApprovalReply,
  AgentLimitsReply,
  ById,
  ChangeAgentLimitsBody,
  ListAgentApprovalsQuery,
  ListAgentApprovalsReply,
} from '#functions/agents/agents.schema.ts';
import { get, list, patch, post } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';

/** Any member may look; who decides needs the scope of what the agent wants to do. No key may do either. */
const decision = {
  access: 'member',
  role: 'member',
  proof: 'fresh',
  params: ById,
  body: NoBody,
  bodyOptional: true,
  reply: AgentApprovalReply,
  errors: ['approval_not_open', 'missing_scope', 'write_conflict'],
} as const;

export const agentRoutes = [
  get('/v1/organization/agent-limits', {
    access: 'member',
    role: 'viewer',
    summary: 'Get what agents may move without a person',
    operationId: 'getAgentLimits',
    reply: AgentLimitsReply,
    run: getAgentLimits,
  }),
  patch('/v1/organization/agent-limits', {
    access: 'member',
    role: 'admin',
    proof: 'fresh',
    summary: 'Change what agents may move without a person',
    operationId: 'updateAgentLimits',
    body: ChangeAgentLimitsBody,
    reply: AgentLimitsReply,
    errors: ['write_conflict'],
    run: changeAgentLimits,
  }),
  list('/v1/agent-approvals', {
    access: 'member',
    role: 'viewer',
    summary: 'List requests of agents that need a person',
    operationId: 'listAgentApprovals',
    query: ListAgentApprovalsQuery,
    reply: ListAgentApprovalsReply,
    items: 'agent_approvals',
    run: listAgentApprovals,
  }),
  get('/v1/agent-approvals/{id}', {
    access: 'member',
    role: 'viewer',
    summary: 'Get a request of an agent that needs a person',
    operationId: 'getAgentApproval',
    params: ById,
    reply: AgentApprovalReply,
    run: getAgentApproval,
  }),
  post('/v1/agent-approvals/{id}/approve', {
    ...decision,
    summary: 'Approve a request of an agent',
    operationId: 'approveAgentRequest',
    run: approveAgentRequest,
  }),
  post('/v1/agent-approvals/{id}/reject', {
    ...decision,
    summary: 'Reject a request of an agent',
    operationId: 'rejectAgentRequest',
    run: rejectAgentRequest,
  }),
];
