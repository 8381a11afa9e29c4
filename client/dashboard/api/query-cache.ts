export type CachedQuery = { readonly data: unknown; readonly at: number };
type Listener = () => void;

const MAX_KEPT = 60;
const kept = new Map<string, CachedQuery>();
const listeners = new Map<string, Set<Listener>>();
const failed = new Set<Listener>();

export const cachedQuery = (key: string): CachedQuery | undefined => kept.get(key);

export function keepQuery(key: string, data: unknown): void {
  kept.delete(key);
  kept.set(key, { data, at: Date.now() });
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT) break;
    kept.delete(oldest);
  }
}

/** Calls `refetch` when the query is invalidated. Returns what ends that. */
export function listenTo(key: string, refetch: Listener): () => void {
  const group = listeners.get(key) ?? new Set();
  listeners.set(key, group.add(refetch));
  return () => {
    group.delete(refetch);
    if (group.size === 0) listeners.delete(key);
  };
}

/** Calls `refetch` when the person tries again what has failed. Returns what ends that. */
export function listenToRetries(refetch: Listener): () => void {
  failed.add(refetch);
  return () => void failed.delete(refetch);
}

/** All of the page that could not be loaded, also what is behind the part in which the person pressed the button. */
export function retryFailed(): void {
  for (const refetch of [...failed]) refetch();
}

/**
 * After a change: what is shown of these queries is loaded again, and what is only kept is forgotten. `name`: the
 * first part of their keys.
 */
export function invalidate(...names: readonly string[]): void {
  const isMeant = (key: string): boolean => names.includes(String(JSON.parse(key)[1]));
  for (const key of [...kept.keys()]) if (isMeant(key) && !listeners.has(key)) kept.delete(key);
  for (const [key, group] of listeners) if (isMeant(key)) for (const refetch of [...group]) refetch();
}

/** After a change of which nobody knows whether it happened. */
export function invalidateAll(): void {
  kept.clear();
  for (const group of listeners.values()) for (const refetch of [...group]) refetch();
}

/** When the person or the organization changes, nothing of before may be seen. */
export const forgetQueries = (): void => kept.clear();
