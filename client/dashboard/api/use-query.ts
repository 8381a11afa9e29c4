import { useEffect, useRef, useState } from 'preact/hooks';
import { type ApiProblem, isSignedOut, problemOf } from '#client/dashboard/api/api-problem.ts';
import { cachedQuery, keepQuery, listenTo, listenToRetries } from '#client/dashboard/api/query-cache.ts';
import { useSession } from '#client/dashboard/shell/session.tsx';
import type { Payfork } from '#client/typescript/src/index.ts';

export type Query<T> = {
  /** Undefined until the first response. It stays while a newer one is loaded. */
  readonly data: T | undefined;
  readonly problem: ApiProblem | undefined;
  readonly isLoading: boolean;
  readonly refetch: () => void;
};

export type QueryOptions = {
  /** Loads again after so many milliseconds, while the page is seen. */
  readonly every?: number | undefined;
  /** False: nothing is loaded yet. */
  readonly enabled?: boolean;
};

export type Load<T> = (api: Payfork, options: { readonly signal: AbortSignal }) => PromiseLike<T>;

type Shown<T> = { readonly key: string; readonly data?: T; readonly problem?: ApiProblem; readonly isLoading: boolean };

/**
 * Loads something from the API. `key`: its name and what it depends on, such as `['payment', id]`: a new key loads
 * again. What was seen before is shown at once and replaced when the response comes.
 */
export function useQuery<T>(key: readonly unknown[], load: Load<T>, options: QueryOptions = {}): Query<T> {
  const { every, enabled = true } = options;
  const { api, organization, endSession } = useSession();
  const id = JSON.stringify([organization?.id ?? '', ...key]);
  const [round, again] = useState(0);
  const [state, setState] = useState<Shown<T>>(() => begin(id));
  const refetch = useRef(() => again((count) => count + 1)).current;
  useEffect(() => listenTo(id, refetch), [id, refetch]);
  useEffect(() => {
    if (!enabled) return;
    setState(begin(id));
    return loadOnce(
      (signal) => load(api, { signal }),
      (data) => {
        keepQuery(id, data);
        setState({ key: id, data, isLoading: false });
      },
      (problem) => {
        if (isSignedOut(problem)) endSession();
        setState({ ...begin<T>(id), problem, isLoading: false });
      },
    );
  }, [id, round, enabled]);
  useRepeat(refetch, enabled ? every : undefined);
  const { data, problem, isLoading } = state.key === id ? state : begin<T>(id);
  useEffect(() => (problem ? listenToRetries(refetch) : undefined), [problem, refetch]);
  return { data, problem, isLoading: enabled && isLoading, refetch };
}

const begin = <T>(key: string): Shown<T> => ({ key, data: cachedQuery(key)?.data as T | undefined, isLoading: true });

/** Returns what ends the request. Once it is answered there is nothing to end: further pages of a list go on. */
function loadOnce<T>(
  load: (signal: AbortSignal) => PromiseLike<T>,
  onData: (data: T) => void,
  onProblem: (problem: ApiProblem) => void,
): () => void {
  const aborted = new AbortController();
  let isWanted = true;
  // Also what `load` throws at once, such as an address without a usable id, is a problem to show.
  const loading = (async () => load(aborted.signal))();
  loading.then(
    (data) => {
      if (isWanted) onData(data);
      isWanted = false;
    },
    (error: unknown) => {
      if (isWanted) onProblem(problemOf(error));
      isWanted = false;
    },
  );
  return () => {
    if (!isWanted) return;
    isWanted = false;
    aborted.abort();
  };
}

function useRepeat(refetch: () => void, every: number | undefined): void {
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && refetch(), every);
    return () => clearInterval(timer);
  }, [refetch, every]);
}
