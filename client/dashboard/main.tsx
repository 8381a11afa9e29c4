import { render } from 'preact';
import { App } from '#client/dashboard/app.tsx';
import { startI18n } from '#client/dashboard/i18n/i18n.tsx';
import { preloadScreen } from '#client/dashboard/shell/preload-screen.ts';
import { applyTheme, chosenTheme } from '#client/dashboard/shell/theme.ts';
import '#client/dashboard/styles/index.css';

/** An address that cannot be decoded is that of no screen, and the router would break at it. */
try {
  decodeURIComponent(location.pathname);
} catch {
  history.replaceState(null, '', '/dashboard/-');
}
applyTheme(chosenTheme());
await startI18n();
preloadScreen(location.pathname);
const app = document.getElementById('app');
if (app) render(<App />, app);
