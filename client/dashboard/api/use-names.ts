import { useMemo } from 'preact/hooks';
import { useQuery } from '#client/dashboard/api/use-query.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';

const FIRST = { limit: 200 } as const;

/**
 * What people call the members and API keys that ids name: an address, a key's name. Ids of whom nothing is known, such
 * as a revoked key, stay as they are.
 */
export function useNames(): (id: string) => string {
  const { user, can, organization } = useSession();
  const enabled = organization !== undefined;
  const members = useQuery(['member-names'], (api, options) => api.team.listMembers(FIRST, options), {
    enabled,
  }).data?.items;
  const keys = useQuery(['key-names'], (api, options) => api.apiKeys.list(FIRST, options), {
    enabled: enabled && can('api_keys:read'),
  }).data?.items;
  return useMemo(() => {
    const names = new Map([
      [user.id, user.email],
      ['system', 'the service'],
    ]);
    for (const { id, email } of members ?? []) names.set(id, email);
    for (const { id, name } of keys ?? []) names.set(id, name);
    return (id) => names.get(id) ?? id;
  }, [user, members, keys]);
}
