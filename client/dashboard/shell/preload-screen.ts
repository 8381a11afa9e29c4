import { exec } from 'preact-iso/router';
import { SCREENS } from '#client/dashboard/screens/screen-table.ts';

/** Loads the screen of this address while the session is asked for: it is not known yet, but hardly ever missing. */
export function preloadScreen(path: string): void {
  const opened = SCREENS.find(({ path: pattern }) => exec(path, `/dashboard${pattern}`));
  void opened?.screen.preload();
}
