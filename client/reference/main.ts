import { addCopyButtons } from '#client/reference/copy.ts';
import { openDialogsByButton } from '#client/reference/dialogs.ts';
import { startReaderKey } from '#client/reference/reader-key.ts';
import { startSearch } from '#client/reference/search.ts';
import { makeTabs } from '#client/reference/tabs.ts';
import { startTheme } from '#client/reference/theme.ts';

// The page can be read without any of this.
startTheme();
makeTabs();
addCopyButtons();
openDialogsByButton();
openAddressedDetails();
startSearch();
startReaderKey();

/** A link may lead into something that is closed: it opens. */
function openAddressedDetails(): void {
  const open = (): void => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let each = target?.closest('details'); each; each = each.parentElement?.closest('details')) each.open = true;
    if (target instanceof HTMLDetailsElement) target.open = true;
  };
  addEventListener('hashchange', open);
  open();
}
