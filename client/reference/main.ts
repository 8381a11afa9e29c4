import { addCopyButtons } from '#client/reference/copy.ts';
import { openAddressedDetails } from '#client/reference/details.ts';
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
