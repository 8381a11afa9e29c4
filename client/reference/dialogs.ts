import { all, need } from '#client/reference/find.ts';

export const dialogOf = (id: string): HTMLDialogElement => need(`#${id}`, HTMLDialogElement);

/** `data-opens` names a dialog. A click beside an open dialog closes it, as Escape does. */
export function openDialogsByButton(): void {
  for (const button of all('[data-opens]'))
    button.addEventListener('click', () => dialogOf(button.dataset.opens ?? '').showModal());
  for (const dialog of document.querySelectorAll('dialog'))
    dialog.addEventListener('click', ({ target }) => {
      if (target === dialog) dialog.close();
    });
}
