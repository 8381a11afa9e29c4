import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import type { ApiResponse, Body, CallOptions, TestHost } from '#test/support/host.ts';
import { aConnection } from '#test/support/host.ts';
import { anOwner, type OrganizationUser } from '#test/support/members.ts';

/** A shop with an agent of its own. */
export type AgentShop = {
  readonly owner: OrganizationUser;
  readonly keyId: string;
  readonly agentKey: string;
  readonly serviceKey: string;
  /** A request of the agent. */
  readonly ask: (method: string, path: string, body?: unknown, how?: CallOptions) => Promise<ApiResponse>;
  /** A payment that no agent made. */
  readonly payment: (more?: Body) => Promise<Body>;
};

export async function anAgentShop(host: TestHost, daily: Readonly<Record<string, number>> = {}): Promise<AgentShop> {
  const owner = await anOwner(host);
  const key = async (more: Body): Promise<Body> =>
    (await owner.request('POST', '/v1/api-keys', { name: 'Key', scopes: SCOPES, ...more })).body;
  const [service, agent] = [await key({ kind: 'secret' }), await key({ kind: 'secret', agent: true, name: 'Agent' })];
  await aConnection(host, { key: service.key });
  if (Object.keys(daily).length > 0) await owner.request('PATCH', '/v1/organization/agent-limits', { daily });
  const payment = async (more: Body = {}) => {
    const body = { amount: 5_000, currency: 'EUR', payment_method: { type: 'card', token: 'ok' }, ...more };
    return (await host.call('POST', '/v1/payments', body, { key: service.key })).body;
  };
  const ask: AgentShop['ask'] = (method, path, body, how) => host.call(method, path, body, { key: agent.key, ...how });
  return { owner, keyId: agent.id, agentKey: agent.key, serviceKey: service.key, ask, payment };
}

/** What a person decides about the request that got this response. */
export const decide = (
  { owner }: Pick<AgentShop, 'owner'>,
  { body }: Pick<ApiResponse, 'body'>,
  decision: 'approve' | 'reject',
): Promise<ApiResponse> => owner.request('POST', `/v1/agent-approvals/${body.details.approval_id}/${decision}`);
