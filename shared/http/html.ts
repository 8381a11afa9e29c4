import { raw, html as tag } from 'hono/html';
import type { RawRequest } from '#shared/ports/raw-request.port.ts';

/** Markup, with all text in it escaped. */
export type Html = ReturnType<typeof raw>;
export type HtmlValue = string | number | false | null | undefined | Html | readonly HtmlValue[];

/** Characters that HTML cannot hold, and marks that reverse the text around them, such as the amount beside a name. */
const UNSAFE_CHARACTERS = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

const clean = (text: string): string => text.toWellFormed().replaceAll(UNSAFE_CHARACTERS, '');

function cleanValue(value: HtmlValue): HtmlValue {
  if (Array.isArray(value)) return value.map(cleanValue);
  return typeof value === 'string' ? clean(value) : value;
}

/**
 * The only way to make markup: every value is escaped, except markup made by this function. Attributes are always in
 * double quotes.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = tag(strings, ...values.map(cleanValue));
  if (markup instanceof Promise) throw new TypeError('Markup must not contain promises.');
  return markup;
}

/** Markup as it is, for this project's own styles and scripts: never for text of a client. */
export const trustedHtml = (text: string): Html => raw(text);

const YEAR_SECONDS = 365 * 24 * 60 * 60;
const UNUSED_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'payment',
  'usb',
];

/** Headers of every page. `isSecure`: it is served over https. */
export const pageHeaders = (isSecure: boolean): Readonly<Record<string, string>> => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'permissions-policy': UNUSED_FEATURES.map((feature) => `${feature}=()`).join(', '),
  ...(isSecure && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
});

/** Nothing from another site, no script or style in the markup, and no frame around it. */
const contentSecurityPolicy = (connectsTo: readonly string[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${["'self'", ...connectsTo].join(' ')}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/**
 * For a page that was built before anybody asked for it. It is the same for everybody, so browsers may keep it, if they
 * ask each time whether it is still the newest. `connectsTo`: origins beside its own that its script may call.
 */
export const builtPageHeaders = (
  { headers }: Pick<RawRequest, 'headers'>,
  connectsTo: readonly string[],
): Readonly<Record<string, string>> => ({
  ...pageHeaders(headers['x-forwarded-proto'] === 'https'),
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy(connectsTo),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
});
