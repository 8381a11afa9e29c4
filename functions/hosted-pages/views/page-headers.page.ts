import type { Language } from '#functions/hosted-pages/views/language.page.ts';
import { STYLE_HASH } from '#functions/hosted-pages/views/style.page.ts';
import { pageHeaders } from '#shared/http/page-headers.ts';

/** Whether it is served over https, which the page itself can't see. */
export type Site = { readonly secure: boolean };

/**
 * No script runs, and no frame shows the page. Its URLs are credentials for a payment, so no other site gets them as a
 * referrer. `same-origin` and not `no-referrer`, with which browsers would omit the Origin of our own forms, which we
 * check.
 */
export function linkPageHeaders(language: Language, site: Site, formTo?: string): Readonly<Record<string, string>> {
  return {
    ...pageHeaders(site.secure),
    'content-language': language,
    vary: 'accept-language, cookie',
    'content-security-policy': policy(formTo),
    'referrer-policy': 'same-origin',
  };
}

const policy = (formTo: string | undefined): string =>
  [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    `form-action ${["'self'", ...(formTo === undefined ? [] : [formTo])].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
