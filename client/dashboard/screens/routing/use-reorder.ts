import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { moved } from '#client/dashboard/screens/routing/rule-order.ts';

type Grabbed = { readonly id: string; readonly by: 'keys' | 'pointer'; readonly before: readonly string[] };

/** What can be done with a row. */
type Moves = {
  readonly grabbed: Grabbed | undefined;
  readonly grab: (id: string, by: Grabbed['by']) => void;
  /** To a place, or as far as the list goes. */
  readonly move: (id: string, to: number) => void;
  readonly drop: () => void;
  readonly putBack: () => void;
  /** What has just happened, for screen readers. */
  readonly said: string;
};

function useMoves(
  ids: readonly string[],
  nameOf: (id: string) => string,
  onOrder: (ids: readonly string[]) => void,
): Moves {
  const [grabbed, setGrabbed] = useState<Grabbed>();
  const [said, say] = useState('');
  const placeOf = (id: string, all = ids): string => `${nameOf(id)}, position ${all.indexOf(id) + 1} of ${all.length}.`;
  const endWith = (text: string): void => {
    say(text);
    setGrabbed(undefined);
  };
  return {
    grabbed,
    said,
    grab: (id, by) => {
      setGrabbed({ id, by, before: ids });
      say(`Grabbed ${placeOf(id)} Up and down arrows move it, Space drops it, Escape puts it back.`);
    },
    move: (id, to) => {
      const next = moved(ids, id, to);
      if (next.indexOf(id) === ids.indexOf(id)) return;
      onOrder(next);
      say(placeOf(id, next));
    },
    drop: () => grabbed && endWith(`Dropped ${placeOf(grabbed.id)}`),
    putBack: () => {
      if (!grabbed) return;
      onOrder(grabbed.before);
      endWith(`Put back ${placeOf(grabbed.id, grabbed.before)}`);
    },
  };
}

/** Of the button that grabs a row. */
type Handle = {
  readonly ref: (button: HTMLButtonElement | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onBlur: () => void;
  readonly 'aria-pressed': boolean;
};

/**
 * Rows that are put into another order, by dragging or with keys: Space grabs a row, the arrows, Home and End move it,
 * Space drops it, Esc puts it back. `list` has a child for each id.
 */
export function useReorder(
  ids: readonly string[],
  nameOf: (id: string) => string,
  onOrder: (ids: readonly string[]) => void,
) {
  const moves = useMoves(ids, nameOf, onOrder);
  const list = useRef<HTMLOListElement | null>(null);
  const handles = useRef(new Map<string, HTMLButtonElement>()).current;
  const { grabbed, said, grab, drop } = moves;
  usePointer(grabbed?.by === 'pointer' ? grabbed.id : undefined, list, moves);
  // A row that is moved in the page loses the focus, and with it the keys.
  useLayoutEffect(() => {
    if (grabbed) handles.get(grabbed.id)?.focus();
  });
  const handle = (id: string): Handle => ({
    ref: (button) => void (button ? handles.set(id, button) : handles.delete(id)),
    onKeyDown: (event) => onKey(event, id, ids, moves),
    onPointerDown: (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      grab(id, 'pointer');
    },
    onBlur: () => {
      // Moved in the page, or left for good: only then it is dropped.
      if (grabbed?.by === 'keys') setTimeout(() => document.activeElement !== handles.get(id) && drop(), 0);
    },
    'aria-pressed': grabbed?.id === id,
  });
  return { grabbed: grabbed?.id, said, list, handle };
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

function onKey(event: KeyboardEvent, id: string, ids: readonly string[], moves: Moves): void {
  const isGrabbed = moves.grabbed?.id === id;
  const { key } = event;
  if (key === ' ' || key === 'Enter') isGrabbed ? moves.drop() : moves.grab(id, 'keys');
  else if (!isGrabbed) return;
  else if (key === 'Escape') moves.putBack();
  else if (key === 'Home') moves.move(id, 0);
  else if (key === 'End') moves.move(id, ids.length);
  else if (STEPS[key] !== undefined) moves.move(id, ids.indexOf(id) + STEPS[key]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** While a row is dragged it takes the place of the row under the pointer. */
function usePointer(id: string | undefined, list: { readonly current: HTMLElement | null }, moves: Moves): void {
  const latest = useRef(moves);
  latest.current = moves;
  useEffect(() => {
    if (id === undefined) return;
    const ended = new AbortController();
    const { signal } = ended;
    const onMove = ({ clientY }: PointerEvent): void => latest.current.move(id, placeAt(list.current, clientY));
    addEventListener('pointermove', onMove, { signal });
    addEventListener('pointerup', () => latest.current.drop(), { signal });
    addEventListener('pointercancel', () => latest.current.putBack(), { signal });
    addEventListener('keydown', ({ key }) => key === 'Escape' && latest.current.putBack(), { signal });
    return () => ended.abort();
  }, [id, list]);
}

/** How many rows lie above the pointer: a row counts once the pointer has passed its middle. */
function placeAt(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.children ?? [])].filter((row) => !row.classList.contains('is-grabbed'));
  return rows.filter((row) => {
    const { top, height } = row.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}
