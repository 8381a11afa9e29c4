import { keyedHash, randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest } from '#shared/ports/raw-request.port.ts';
import { isToken, makeToken, returnToken } from '#shared/services/payments/charge-order.service.ts';

type Config = Pick<Deps['config'], 'apiUrl' | 'tokenSecret' | 'rotations'>;

/** Ties a form to the browser that it was shown in. */
const BROWSER_COOKIE = 'pay_browser';
/** The payment that this browser has started, so that it can be resumed. */
const PAYMENT_COOKIE = 'pay_payment';
const DAY_SECONDS = 24 * 60 * 60;

const browserOf = ({ cookies }: RawRequest): string | undefined =>
  /^[A-Za-z0-9]{22}$/.test(cookies[BROWSER_COOKIE] ?? '') ? cookies[BROWSER_COOKIE] : undefined;

/** The form's CSRF token, and the cookie that must come back with it. */
export function newForm(
  request: RawRequest,
  linkId: string,
  config: Config,
): { readonly csrf: string; readonly cookies: readonly string[] } {
  const browser = browserOf(request) ?? randomText(22);
  const nonce = randomText(22);
  return {
    csrf: `${nonce}.${makeToken(formMac(linkId, browser, nonce), config)}`,
    cookies: [cookie(BROWSER_COOKIE, browser, linkId, config)],
  };
}

/** The id of a form that this browser was shown. Undefined for any other form, such as one sent by another site. */
export function verifyForm(request: RawRequest, linkId: string, csrf: string, config: Config): string | undefined {
  const browser = browserOf(request);
  const [nonce = '', mac = ''] = csrf.split('.');
  const isShown = browser !== undefined && isToken(mac, formMac(linkId, browser, nonce), config);
  return isShown && !isCrossSite(request, config) ? nonce : undefined;
}

const formMac = (linkId: string, browser: string, nonce: string) => (tokenSecret: string) =>
  keyedHash(tokenSecret, 'link form', linkId, browser, nonce).subarray(0, 16).toString('base64url');

const ARRIVALS = ['unconfirmed', 'stopped', 'go'] as const;
/**
 * How the customer comes to the page. `go`: on the way to the provider, who opens automatically. `stopped`: back from
 * the provider's page without an outcome. `unconfirmed`: as if they had paid, but the provider does not know yet.
 */
export type Arrival = (typeof ARRIVALS)[number];

/** The URL of one payment's page. It cannot be guessed from the payment's id. */
export function paymentUrl(linkId: string, paymentId: string, config: Config, arrival?: Arrival): string {
  const query = new URLSearchParams({ payment: paymentId, t: makeToken(returnToken(paymentId), config) });
  if (arrival) query.set(arrival, '1');
  return `${config.apiUrl}/pay/${linkId}?${query}`;
}

export const arrivalOf = ({ query }: Pick<RawRequest, 'query'>): Arrival | undefined =>
  ARRIVALS.find((each) => query[each] !== undefined);

/** A form on the return page: for one payment after so many attempts, so that it can act only once. */
export const returnFormMac = (paymentId: string, attempts: number) => (tokenSecret: string) =>
  keyedHash(tokenSecret, 'return form', paymentId, String(attempts)).subarray(0, 16).toString('base64url');

/** Whether another site sent the request. Browsers say so in these headers. */
export function isCrossSite({ headers }: Pick<RawRequest, 'headers'>, { apiUrl }: Config): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  const isForeignOrigin = origin !== undefined && origin !== new URL(apiUrl).origin;
  return isForeignOrigin || (site !== undefined && site !== 'same-origin');
}

export const paymentCookie = (linkId: string, paymentId: string, config: Config): string =>
  cookie(PAYMENT_COOKIE, `${paymentId}.${makeToken(returnToken(paymentId), config)}`, linkId, config);

/** The payment that a visitor may see: the one in the URL, or the one that this browser has started. */
export function sessionPayment(
  { query, cookies }: RawRequest,
  config: Config,
): { readonly id: string; readonly from: 'url' | 'cookie' } | undefined {
  const [started = '', startedToken = ''] = (cookies[PAYMENT_COOKIE] ?? '').split('.');
  if (isReturnToken(query.payment, query.t, config)) return { id: query.payment ?? '', from: 'url' };
  return isReturnToken(started, startedToken, config) ? { id: started, from: 'cookie' } : undefined;
}

const isReturnToken = (id: string | undefined, token: string | undefined, config: Config): boolean =>
  isToken(token ?? '', returnToken(id ?? ''), config);

function cookie(name: string, value: string, linkId: string, { apiUrl }: Config): string {
  const secure = apiUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/pay/${linkId}; Max-Age=${DAY_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
