import { render } from 'preact';
import { exec } from 'preact-iso/router';
import { App } from '#client/dashboard/app.tsx';
import { startI18n } from '#client/dashboard/i18n/i18n.tsx';
import { SCREENS } from '#client/dashboard/screens/screen-table.ts';
import { pageStyles } from '#client/dashboard/shell/load-screen.ts';
import { applyTheme, chosenTheme } from '#client/dashboard/shell/theme.ts';
import '#client/dashboard/styles/index.css';

/** An address that cannot be decoded is that of no screen, and the router would break at it. */
try {
  decodeURIComponent(location.pathname);
} catch {
  history.replaceState(null, '', '/dashboard/-');
}
applyTheme(chosenTheme());
await Promise.all([startI18n(), pageStyles().catch(() => undefined)]);
const opened = SCREENS.find(({ path }) => exec(location.pathname, `/dashboard${path}`));
// While the session is asked for: it is not known yet, but hardly ever missing.
opened?.screen.preload();
const app = document.getElementById('app');
if (app) render(<App />, app);
