import { need } from '#client/reference/find.ts';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** The dashboard's own choice: both have the same origin. */
const CHOICE = 'payfork.theme';

const chosen = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(CHOICE)) ?? 'system';

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** The button goes on from one theme to the next. */
export function startTheme(): void {
  const button = need('[data-theme-button]', HTMLButtonElement);
  const show = (theme: Theme): void => {
    apply(theme);
    button.textContent = `Theme: ${theme}`;
  };
  show(chosen());
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(chosen()) + 1) % THEMES.length] ?? 'system';
    localStorage.setItem(CHOICE, next);
    show(next);
  });
}
