import { type ApiEvent, actorOf, type RequestState } from '#shared/http/request.ts';
import type { IdempotencyRequest } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { admitAgentRequest } from '#shared/services/accounts/admit-agent-request.service.ts';
import { type AgentInput, type AmountDeps, amountOf } from '#shared/services/accounts/agent-amounts.service.ts';

type AgentDeps = Pick<Deps, 'agents' | 'config'> & AmountDeps;

const MAX_SHOWN = 200;

/** A text of the request, for the person who decides about it. */
const shown = (value: unknown): string | null =>
  typeof value === 'string' ? value.slice(0, MAX_SHOWN).toWellFormed() : null;

/**
 * Stops a changing request of an agent's key that needs a person. Loaded at the first such request: other keys pay
 * nothing for it.
 */
export async function guardAgent(
  event: ApiEvent,
  { route, input = {}, at }: RequestState,
  idempotencyRequest: IdempotencyRequest,
  deps: AgentDeps,
): Promise<void> {
  const operation = `${route.method} ${route.path}`;
  const { orgId } = idempotencyRequest;
  const asked = {
    agent_name: actorOf(event),
    operation,
    scope: route.access === 'scope' ? route.scope : '',
    resource_id: shown(event.pathParameters?.id),
    customer_id: shown(input.customer_id),
    description: shown(input.description),
    idempotencyRequest,
    at,
    moved: async () => (route.agents === 'ask' ? amountOf(operation, input as AgentInput, orgId, deps) : undefined),
  };
  await admitAgentRequest(asked, { agents: await deps.agents(), config: deps.config });
}
