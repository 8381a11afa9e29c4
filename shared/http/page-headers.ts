const YEAR_SECONDS = 365 * 24 * 60 * 60;
const UNUSED = [
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
  'permissions-policy': UNUSED.map((feature) => `${feature}=()`).join(', '),
  ...(isSecure && { 'strict-transport-security': `max-age=${YEAR_SECONDS}` }),
});
