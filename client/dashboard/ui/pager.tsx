import type { ComponentChildren } from 'preact';
import type { Pages } from '#client/dashboard/api/use-pages.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';

/** Loads the next page of a list, if there is one. */
export function Pager<T>({ pages: { hasMore, isLoadingMore, moreProblem, more } }: { readonly pages: Pages<T> }) {
  const { showMore, tryAgain } = useMessages(FRAME);
  if (!hasMore) return null;
  return (
    <div class="pager">
      {moreProblem && <p role="alert">{moreProblem.message}</p>}
      <Button onClick={more} isPending={isLoadingMore}>
        {moreProblem ? tryAgain : showMore}
      </Button>
    </div>
  );
}

type ListProps<T> = {
  readonly pages: Pages<T>;
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly T[]) => ComponentChildren;
};

/** A list in all its states, with the button for more at its end. A page may be empty and not the last. */
export function PagedList<T>({ pages, empty, children }: ListProps<T>) {
  return (
    <Loaded query={pages} rows={6}>
      {(rows) => (
        <>
          {rows.length > 0 && children(rows)}
          {rows.length === 0 && !pages.hasMore && empty}
          <Pager pages={pages} />
        </>
      )}
    </Loaded>
  );
}
