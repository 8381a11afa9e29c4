const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Moves the focus to the link of the next or previous row. Keys typed into a control are left to it. */
export function moveBetweenRows(event: KeyboardEvent & { readonly currentTarget: EventTarget | null }): void {
  const step = STEPS[event.key];
  const { target, currentTarget } = event;
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!(target instanceof HTMLAnchorElement) || !(currentTarget instanceof HTMLElement)) return;
  const links = [...currentTarget.querySelectorAll<HTMLAnchorElement>('.row-link td:first-child > a')];
  const from = links.findIndex((link) => link.closest('tr')?.contains(target));
  const next = links[from + step];
  if (from < 0 || !next) return;
  event.preventDefault();
  next.focus();
}
