import { ownApi } from '#shared/adapters/net/own-api.adapter.ts';
import { type Start, type StatelessDeps, statelessContainer } from '#shared/container/stateless.container.ts';
import type { OwnApiPort } from '#shared/ports/own-api.port.ts';

/** What the function of agents' tools has: the API, as its clients reach it. */
export const mcpContainer: Start<StatelessDeps & { readonly ownApi: OwnApiPort }> = (env, log) => {
  const rest = statelessContainer(env, log);
  const api = ownApi(env.apiUrl, 'payfork-mcp');
  return async () => ({ ...(await rest()), ownApi: api });
};
