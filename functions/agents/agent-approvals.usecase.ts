import type { ListAgentApprovalsInput } from '#functions/agents/agents.schema.ts';
import type { AgentRequest } from '#shared/domain/accounts/agent.model.ts';
import { approvalStatus, assertMayDecide, assertOpen } from '#shared/domain/accounts/agent.rules.ts';
import {
  creatorOf,
  describeAgentRequest,
  organizationAuditEntry,
} from '#shared/domain/accounts/organization-audit.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { Caller } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

type ApprovalDeps = Pick<Deps, 'agents' | 'clock'>;

/** What people see: an expired request is told from one that waits by the clock. */
const show = (request: AgentRequest, at: Date) => ({ ...request, status: approvalStatus(request, at) });

export async function listAgentApprovals(
  { status, ...page }: ListAgentApprovalsInput,
  { orgId }: Caller,
  { agents, clock }: ApprovalDeps,
) {
  const at = clock.now();
  const { items, next } = await (await agents()).list(orgId, { ...page, waitingAt: status && at });
  return { items: items.map((request) => show(request, at)), next };
}

export async function getAgentApproval(
  { id }: { readonly id: string },
  { orgId }: Caller,
  { agents, clock }: ApprovalDeps,
) {
  return show(
    orNotFound(await (await agents()).get(orgId, id), 'There is no agent approval with this id.'),
    clock.now(),
  );
}

const decide =
  (decision: 'approved' | 'rejected') =>
  async ({ id }: { readonly id: string }, caller: Caller, { agents, clock }: ApprovalDeps) => {
    const store = await agents();
    return retryOnConflict(async () => {
      const before = orNotFound(await store.get(caller.orgId, id), 'There is no agent approval with this id.');
      assertMayDecide(before, caller.scopes);
      // A repeat after a crash finds its own decision.
      if (caller.operation.resumed && before.status === decision && before.decided_by === creatorOf(caller))
        return show(before, clock.now());
      const at = clock.now();
      assertOpen(before, at);
      const after = { ...before, status: decision, decided_by: creatorOf(caller), decided_at: at.toISOString() };
      const audit = organizationAuditEntry(describeAgentRequest(`agent_${decision}`, after), caller, caller.operation);
      return (await store.change(before, after, audit)) ? show(after, at) : undefined;
    }, 'This request is being decided about by somebody else. Load it again.');
  };

/** The agent has to repeat its request: nothing runs by the approval itself. */
export const approveAgentRequest = decide('approved');
export const rejectAgentRequest = decide('rejected');
