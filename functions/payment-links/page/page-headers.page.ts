import type { Language } from '#functions/payment-links/page/language.page.ts';
import { STYLE_HASH } from '#functions/payment-links/page/style.page.ts';

/** Where it is served from: behind https or not, which the page itself can't see. */
export type Site = { readonly secure: boolean };

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const UNUSED = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone', 'payment', 'usb'];

/**
 * Nothing on a page runs, and it is shown in no frame. Its addresses hold who may see a payment: no other site is told them.
 * `same-origin`, not `no-referrer`, with which browsers would send our own forms without the origin that we check.
 */
export function pageHeaders(language: Language, site: Site, formTo?: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    vary: 'accept-language, cookie',
    'cache-control': 'no-store',
    'content-security-policy': policy(formTo),
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
    ...(site.secure && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
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
