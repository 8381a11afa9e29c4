import type { ComponentChildren } from 'preact';
import type { Pages } from '#client/dashboard/api/use-pages.ts';
import { FRAME } from '#client/dashboard/i18n/frame.catalog.ts';
import { useMessages } from '#client/dashboard/i18n/i18n.tsx';
import { Button } from '#client/dashboard/ui/button.tsx';
import { Loaded } from '#client/dashboard/ui/states.tsx';

/** Nobody reads more by scrolling, and with many thousands each further page takes a second to draw. */
const MAX_ROWS = 2_500;

/** Loads the next page of a list, if there is one. */
export function Pager<T>({ pages }: { readonly pages: Pages<T> }) {
  const { data = [], hasMore, isLoadingMore, moreProblem, more } = pages;
  const { showMore, noMore, tryAgain } = useMessages(FRAME);
  if (!hasMore) return null;
  if (data.length >= MAX_ROWS) return <p class="pager muted">{noMore}</p>;
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
