import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '#client/dashboard/ui/button.tsx';

export type Numbered<T> = T & { readonly number: number };

const PAGE = 25;

type NewestProps<T> = {
  /** Oldest first, as the control server has them. */
  readonly all: readonly T[];
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly Numbered<T>[]) => ComponentChildren;
};

/** A list of the control server, newest first. It has no pages, and may be long: more is drawn when it is asked for. */
export function Newest<T extends object>({ all, empty, children }: NewestProps<T>) {
  const [shown, setShown] = useState(PAGE);
  const rows = all.map((row, number) => ({ ...row, number })).reverse();
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      {children(rows.slice(0, shown))}
      {rows.length > shown && (
        <div class="pager">
          <Button onClick={() => setShown(shown + PAGE)}>Show more</Button>
        </div>
      )}
    </>
  );
}
