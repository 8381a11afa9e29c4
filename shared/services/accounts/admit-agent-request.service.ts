import type { AgentRequest, MovedMoney } from '#shared/domain/accounts/agent.model.ts';
import { dailyLimit, expiryFrom, hourOf, isOver, MAX_WAITING_APPROVALS } from '#shared/domain/accounts/agent.rules.ts';
import { describeAgentRequest, organizationAuditEntry } from '#shared/domain/accounts/organization-audit.rules.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { type IdempotencyRequest, isSameRequest, keyReused } from '#shared/kernel/operation.ts';
import { retryOnConflict } from '#shared/kernel/retry-on-conflict.ts';
import type { AgentRequestKey, AgentsPort } from '#shared/ports/agents.port.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';

/** A changing request of an agent's key. `moved` is called if nothing is known of the request yet. */
type AskedByAgent = Pick<
  AgentRequest,
  'agent_name' | 'operation' | 'scope' | 'resource_id' | 'customer_id' | 'description' | 'terms'
> & {
  readonly idempotencyRequest: IdempotencyRequest;
  readonly at: Date;
  /** What it moves: `undefined` for nothing, null for an amount that nobody knows. */
  readonly moved: () => Promise<MovedMoney | null | undefined>;
};

type AdmitDeps = { readonly agents: AgentsPort; readonly config: Pick<ServiceConfig, 'pagesUrl'> };

/**
 * Returns if the request may run. Throws if a person has to approve it first, or has rejected it. Two repeats of an
 * approved request are both admitted: their idempotency key makes them one operation. That is why an approval ends
 * before the key can be used again.
 */
export async function admitAgentRequest(asked: AskedByAgent, deps: AdmitDeps): Promise<void> {
  const key = keyOf(asked);
  await retryOnConflict(async () => {
    const stored = await deps.agents.find(key);
    const known = stored && !isOver(stored, asked.at) ? stored : undefined;
    return known ? admitKnown(known, asked, deps) : admitNew(key, stored, asked, deps);
  }, 'This request is being decided about. Repeat it.');
}

const keyOf = ({ idempotencyRequest: { orgId, credentialId, key } }: AskedByAgent): AgentRequestKey => ({
  orgId,
  keyId: credentialId,
  idempotencyKey: key,
});

/** Undefined: it has changed meanwhile. */
async function admitKnown(known: AgentRequest, asked: AskedByAgent, deps: AdmitDeps): Promise<true | undefined> {
  if (!isSameRequest(known.request, asked.idempotencyRequest)) throw keyReused();
  if (known.status === 'pending') throw approvalRequired(known, deps);
  if (known.status === 'rejected') throw rejected(known);
  await assertNotMore(known, asked);
  if (known.used_at !== null) return true;
  const at = asked.at.toISOString();
  const used = { ...known, used_at: at, expires_at: expiryFrom(asked.at) };
  return (await deps.agents.change(known, used, auditOf('agent_acted', used, asked))) || undefined;
}

/**
 * "All that is left of the payment" may have become more since it was counted, or a person looked at it. The request that
 * was let through may have failed before it knew how much that was.
 */
async function assertNotMore({ id, amount }: AgentRequest, asked: AskedByAgent): Promise<void> {
  const moved = await asked.moved();
  if (!moved || amount === null || moved.amount <= amount) return;
  throw new AppError(
    'approval_required',
    'This request would move more now than what was approved. Send it with a new idempotency key to ask again.',
    { details: { approval_id: id, amount: moved.amount, approved_amount: amount } },
  );
}

async function admitNew(
  key: AgentRequestKey,
  before: AgentRequest | undefined,
  asked: AskedByAgent,
  deps: AdmitDeps,
): Promise<true | undefined> {
  const { agents } = deps;
  const moved = await asked.moved();
  const request = newRequest(key, moved ?? null, asked, deps);
  const allowed = { ...request, status: 'allowed', used_at: request.created_at } as const;
  const audit = auditOf('agent_acted', allowed, asked);
  if (moved === undefined) return (await agents.add(allowed, before, audit)) === 'done' || undefined;
  const limit = dailyLimit(await agents.limits(key.orgId), moved);
  if (limit !== undefined && (request.amount ?? 0) <= limit) {
    const added = await agents.add(allowed, before, audit, { hour: hourOf(asked.at), limit });
    if (added !== 'over_limit') return added === 'done' || undefined;
  }
  await assertFewWaiting(key.orgId, asked.at, agents);
  if ((await agents.add(request, before, auditOf('agent_asked', request, asked))) !== 'done') return undefined;
  throw approvalRequired(request, deps);
}

const newRequest = (
  key: AgentRequestKey,
  moved: MovedMoney | null,
  { agent_name, operation, scope, resource_id, customer_id, description, terms, idempotencyRequest, at }: AskedByAgent,
  { agents }: AdmitDeps,
): AgentRequest => ({
  id: agents.newId(key, at),
  org_id: key.orgId,
  key_id: key.keyId,
  agent_name,
  request: idempotencyRequest.request,
  operation,
  scope,
  resource_id,
  amount: moved?.amount ?? null,
  currency: moved?.currency ?? null,
  customer_id,
  description,
  terms,
  status: 'pending',
  created_at: at.toISOString(),
  expires_at: expiryFrom(at),
  decided_by: null,
  decided_at: null,
  used_at: null,
});

async function assertFewWaiting(orgId: string, at: Date, agents: AgentsPort): Promise<void> {
  if ((await agents.countWaiting(orgId, at, MAX_WAITING_APPROVALS)) < MAX_WAITING_APPROVALS) return;
  const message = `${MAX_WAITING_APPROVALS} requests of agents wait for a person already. Ask again later.`;
  throw new AppError('approval_limit_reached', message);
}

const approvalRequired = (
  { id, org_id, amount, currency, expires_at }: AgentRequest,
  { config }: Pick<AdmitDeps, 'config'>,
): AppError =>
  new AppError(
    'approval_required',
    'A person has to approve this first, in the dashboard. Then repeat this request unchanged, with the same ' +
      'Idempotency-Key.',
    {
      details: {
        approval_id: id,
        approve_at: `${config.pagesUrl}/dashboard/approvals/${id}?organization=${org_id}`,
        amount,
        currency,
        expires_at,
      },
    },
  );

const rejected = ({ id, decided_at }: AgentRequest): AppError =>
  new AppError('approval_rejected', 'A person has rejected this request. Do not send it again.', {
    details: { approval_id: id, decided_at },
  });

/** The entry's actor is the agent's key; the name that the agent gives itself is a claim. */
const auditOf = (action: 'agent_acted' | 'agent_asked', request: AgentRequest, asked: AskedByAgent) =>
  organizationAuditEntry(
    describeAgentRequest(action, request),
    { credentialId: request.key_id, actorId: request.agent_name },
    { seed: `${request.id} ${action}`, at: asked.at },
  );
