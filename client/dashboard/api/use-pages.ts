import { useRef, useState } from 'preact/hooks';
import { type ApiProblem, problemOf } from '#client/dashboard/api/api-problem.ts';
import { type Load, type Query, type QueryOptions, useQuery } from '#client/dashboard/api/use-query.ts';

/** A page of a list, as the client returns it. */
export type PageOf<T> = {
  readonly items: readonly T[];
  readonly hasMore: boolean;
  readonly next: () => Promise<PageOf<T> | undefined>;
};

export type Pages<T> = Query<readonly T[]> & {
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly moreProblem: ApiProblem | undefined;
  readonly more: () => Promise<void>;
};

type More<T> = {
  /** The first page that these follow. */
  readonly first: PageOf<T> | undefined;
  readonly pages: readonly PageOf<T>[];
  readonly isLoading: boolean;
  readonly problem?: ApiProblem;
};

/**
 * A list that grows page by page at its end. It begins anew when the key changes or it is loaded again. It is not loaded
 * by itself while more than one page is shown: the others would go from under the reader's eyes.
 */
export function usePages<T>(key: readonly unknown[], load: Load<PageOf<T>>, options: QueryOptions = {}): Pages<T> {
  const [state, setState] = useState<More<T>>({ first: undefined, pages: [], isLoading: false });
  const shown = useRef<PageOf<T> | undefined>(undefined);
  const isGrown = state.pages.length > 0 && state.first === shown.current;
  const query = useQuery(key, load, isGrown ? { ...options, every: undefined } : options);
  const first = query.data;
  shown.current = first;
  const none: More<T> = { first, pages: [], isLoading: false };
  const added = state.first === first ? state : none;
  const pages = first ? [first, ...added.pages] : [];
  const last = pages.at(-1);

  async function more(): Promise<void> {
    if (!last?.hasMore || added.isLoading) return;
    setState({ first, pages: added.pages, isLoading: true });
    try {
      const page = await last.next();
      setState({ first, pages: page ? [...added.pages, page] : added.pages, isLoading: false });
    } catch (error) {
      setState({ first, pages: added.pages, isLoading: false, problem: problemOf(error) });
    }
  }

  return {
    ...query,
    data: first && pages.flatMap(({ items }) => items),
    hasMore: last?.hasMore ?? false,
    isLoadingMore: added.isLoading,
    moreProblem: added.problem,
    more,
  };
}
