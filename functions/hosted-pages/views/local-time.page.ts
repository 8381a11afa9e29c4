import { createHash } from 'node:crypto';
import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import { DATE_TIME_FORMAT, formatTime } from '#shared/domain/reference/format.rules.ts';
import { type Html, html } from '#shared/http/html.ts';

/**
 * Shows each time in the customer's own zone, which only the browser knows. It writes text, never markup. Without it
 * the times stay in UTC, and say so.
 */
export const LOCAL_TIME_SCRIPT = `
'use strict';
for (const time of document.querySelectorAll('time')) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, ${JSON.stringify(DATE_TIME_FORMAT)});
  time.textContent = format.format(new Date(time.dateTime));
}
`;

/** The Content-Security-Policy of a page with times allows only this script. */
export const LOCAL_TIME_SCRIPT_HASH = `sha256-${createHash('sha256').update(LOCAL_TIME_SCRIPT).digest('base64')}`;

/** A moment. Text that is none stays as it is. */
export function timeText(text: string, { language }: I18n): Html {
  const shown = formatTime(text, language);
  return shown === text ? html`${text}` : html`<time datetime="${text}">${shown}</time>`;
}

const PLACE = '{time}';

/** A sentence with a moment in it. */
export function sentenceWithTime(sentence: (time: string) => string, text: string, i18n: I18n): Html {
  const [before = '', after = ''] = sentence(PLACE).split(PLACE);
  return html`${before}${timeText(text, i18n)}${after}`;
}

/** Only our own markup can hold the element: all other text is escaped. */
export const hasTimes = (markup: string): boolean => markup.includes('<time ');
