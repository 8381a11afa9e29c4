import type { AgentTerms } from '#shared/domain/accounts/agent.model.ts';
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

/** Fields that make a difference to who decides, and neither hold a secret nor tell who the customer is. */
const TERMS = [
  ...['interval', 'plan_id', 'status', 'start_at', 'method', 'max_payments', 'expires_at', 'capture', 'final'],
  ...['save', 'force', 'reason'],
] as const;

function termsOf(input: Readonly<Record<string, unknown>>): AgentTerms {
  const { id } = (input.payment_method ?? {}) as { readonly id?: unknown };
  const sent = [...TERMS.map((name) => [name, input[name]] as const), ['payment_method', id] as const];
  return Object.fromEntries(
    sent.flatMap(([name, value]) => {
      const text = typeof value === 'number' || typeof value === 'boolean' ? value : shown(value);
      return text === null ? [] : [[name, text]];
    }),
  );
}

/** Whatever else stands in a path leads nowhere, and shall not become a part of an address on a page. */
const ownId = (text: string | undefined): string | null =>
  text !== undefined && /^[a-z]{2,5}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text) ? text : null;

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
    resource_id: ownId(event.pathParameters?.id),
    customer_id: shown(input.customer_id),
    description: shown(input.description),
    terms: termsOf(input),
    idempotencyRequest,
    at,
    moved: async () => (route.agents === 'ask' ? amountOf(operation, input as AgentInput, orgId, deps) : undefined),
  };
  await admitAgentRequest(asked, { agents: await deps.agents(), config: deps.config });
}
