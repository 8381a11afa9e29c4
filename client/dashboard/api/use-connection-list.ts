import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import type { Connection } from '#client/typescript/src/generated/schemas.ts';

const FIRST = { limit: 200 } as const;
const NONE: readonly Connection[] = [];

/** The connections, for their names and for choices. None while they load, or for who may not see them. */
export function useConnectionList(isNeeded = true): readonly Connection[] {
  const { can } = useSession();
  const query = useQuery(['connections', 'names'], (api, options) => api.connections.list(FIRST, options), {
    enabled: isNeeded && can('connections:read'),
  });
  return query.data?.items ?? NONE;
}
