import { useMemo } from 'preact/hooks';
import { invalidate } from '#client/dashboard/api/query-cache.ts';
import { type Query, useQuery } from '#client/dashboard/api/use-query.ts';
import { providerName } from '#client/dashboard/ui/provider-name.ts';
import type { Connection, RoutingRule } from '#client/typescript/src/index.ts';

/** All rules: an organization has at most a few hundred. */
export const useRules = (): Query<readonly RoutingRule[]> =>
  useQuery(['routing-rules'], async (api, options) => {
    const all: RoutingRule[] = [];
    for await (const rule of api.routingRules.list({ limit: 200 }, options)) all.push(rule);
    return all;
  });

/** After any change of the rules: what was simulated or replayed with them is old. */
export const rulesChanged = (): void => invalidate('routing-rules', 'simulation', 'replay', 'ab-tests');

export const useConnections = (): Query<readonly Connection[]> =>
  useQuery(['connections', 'all'], async (api, options) => {
    const all: Connection[] = [];
    for await (const connection of api.connections.list({ limit: 200 }, options)) all.push(connection);
    return all;
  });

/** What a connection is called: its provider, and its id where the provider has several. */
export function useConnectionName(): (id: string | null) => string {
  const { data } = useConnections();
  return useMemo(() => {
    const providers = (data ?? []).map(({ provider }) => provider);
    const names = new Map(
      (data ?? []).map(({ id, provider }) => {
        const isOnly = providers.filter((other) => other === provider).length === 1;
        return [id, isOnly ? providerName(provider) : `${providerName(provider)} (${id})`] as const;
      }),
    );
    return (id) => (id === null ? 'no connection' : (names.get(id) ?? id));
  }, [data]);
}
