import { type Html, html, trustedHtml } from '#shared/http/html.ts';

/** Drawn on a 24-pixel grid. The text beside each icon says the same. */
const ICONS = {
  done: '<path d="M5 12.5l4.5 4.5L19 7.5"/>',
  failed: '<path d="M7 7l10 10M17 7L7 17"/>',
  clock: '<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>',
  spinner: '<path class="turning" d="M12 4a8 8 0 1 1-8 8" transform-origin="12 12"/>',
  phone: '<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 17.5h2"/>',
  lock: '<rect x="5" y="10.5" width="14" height="9.5" rx="2"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>',
  forward: '<path d="M5 12h14M13 6l6 6-6 6"/>',
  back: '<path d="M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3"/>',
  note: '<path d="M12 7v6M12 16.5v.5"/><circle cx="12" cy="12" r="9"/>',
  list: '<path d="M9 7h11M9 12h11M9 17h11M4.5 7h.01M4.5 12h.01M4.5 17h.01"/>',
  keyboard: '<rect x="3" y="6" width="18" height="12" rx="2"/><path d="M7 12h.01M12 12h.01M17 12h.01"/>',
} as const;

export type Icon = keyof typeof ICONS;

const STROKE = trustedHtml(
  'fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"',
);

export const icon = (name: Icon, size = 22): Html => {
  const box = html`width="${size}" height="${size}" viewBox="0 0 24 24"`;
  return html`<svg aria-hidden="true" focusable="false" ${box} ${STROKE}>${trustedHtml(ICONS[name])}</svg>`;
};
