import { useEffect, useRef } from 'preact/hooks';
import { addressOf, type Place } from '#client/dashboard/shell/navigation.ts';

/** How long after `g` the second key counts. */
const SECOND_KEY_MS = 1_500;

type Shortcuts = {
  readonly places: readonly Place[];
  readonly goTo: (address: string) => void;
  readonly search: () => void;
  readonly help: () => void;
};

/** Keys typed into a control, or while a dialog is open, are not ours. */
const isTaken = ({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean =>
  defaultPrevented ||
  ctrlKey ||
  metaKey ||
  altKey ||
  document.querySelector('dialog[open]') !== null ||
  (target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.nodeName)));

/** From there the keys of the list go on. */
const toFirstRow = (): void => document.querySelector<HTMLElement>('#content .row-link td:first-child > a')?.focus();

/** `/` searches, `?` helps, `j` goes to the first row, and `g` with a letter to a place. */
export function useShortcuts({ places, goTo, search, help }: Shortcuts): void {
  // Also when the frame is drawn anew between the two keys.
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTaken(event)) return;
      const isSecond = event.timeStamp - goPressedAt.current < SECOND_KEY_MS;
      goPressedAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const place = isSecond ? places.find(({ key }) => key === event.key) : undefined;
      const act = place ? () => goTo(addressOf(place)) : { '/': search, '?': help, j: toFirstRow }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [places, goTo, search, help]);
}
