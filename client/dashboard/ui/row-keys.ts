const STEPS: Readonly<Record<string, 'nextElementSibling' | 'previousElementSibling'>> = {
  ArrowDown: 'nextElementSibling',
  j: 'nextElementSibling',
  ArrowUp: 'previousElementSibling',
  k: 'previousElementSibling',
};

/** Moves the focus to the link of the next or previous row. Keys typed into a control are left to it. */
export function moveBetweenRows(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const { target } = event;
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLAnchorElement)) return;
  let row: Element | null | undefined = target.closest('tr')?.[step];
  while (row && !row.matches('.row-link')) row = row[step];
  const link = row?.querySelector<HTMLElement>('td:first-child > a');
  if (!link) return;
  event.preventDefault();
  link.focus();
}
