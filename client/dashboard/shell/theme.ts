export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const CHOICE = 'payfork.theme';

export const chosenTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(CHOICE)) ?? 'system';

/** The style sheet looks at the attribute, and at the system's wish where it is missing. Charts hear the event. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  localStorage.setItem(CHOICE, theme);
  dispatchEvent(new Event('themechange'));
}
