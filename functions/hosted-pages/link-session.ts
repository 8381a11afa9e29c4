import type { RawRequest } from '#shared/http/route.ts';
import { keyedHash, randomText } from '#shared/kernel/ids.ts';
import { sameText } from '#shared/kernel/same-text.ts';
import type { Deps } from '#shared/ports/deps.ts';
import { returnToken } from '#shared/services/payments/charge-order.service.ts';

type Config = Pick<Deps['config'], 'apiUrl' | 'hashSecret'>;

/** Ties a form to the browser that it was shown in. */
const BROWSER = 'pay_browser';
/** The payment that this browser has begun, so that it can be resumed. */
const PAYMENT = 'pay_payment';
const DAY_SECONDS = 24 * 60 * 60;

const browserOf = ({ cookies }: RawRequest): string | undefined =>
  /^[A-Za-z0-9]{22}$/.test(cookies[BROWSER] ?? '') ? cookies[BROWSER] : undefined;

/** The form's token, and the cookie that must come back with it. */
export function newForm(
  request: RawRequest,
  linkId: string,
  config: Config,
): { readonly csrf: string; readonly cookies: readonly string[] } {
  const browser = browserOf(request) ?? randomText(22);
  const nonce = randomText(22);
  return {
    csrf: `${nonce}.${macOf(linkId, browser, nonce, config)}`,
    cookies: [cookie(BROWSER, browser, linkId, config)],
  };
}

/** The number of a form that this browser was shown; undefined for any other, such as one sent by another site. */
export function formNumber(request: RawRequest, linkId: string, csrf: string, config: Config): string | undefined {
  const browser = browserOf(request);
  const [nonce = '', mac = ''] = csrf.split('.');
  const { origin, 'sec-fetch-site': site } = request.headers;
  const foreign =
    (origin !== undefined && origin !== new URL(config.apiUrl).origin) ||
    (site !== undefined && site !== 'same-origin');
  return browser && !foreign && sameText(mac, macOf(linkId, browser, nonce, config)) ? nonce : undefined;
}

const macOf = (linkId: string, browser: string, nonce: string, { hashSecret }: Config): string =>
  keyedHash(hashSecret, 'link form', linkId, browser, nonce).subarray(0, 16).toString('base64url');

/** The URL of one payment's page, which can't be guessed from the payment's id. */
export const paymentAddress = (linkId: string, paymentId: string, config: Config): string =>
  `${config.apiUrl}/pay/${linkId}?${new URLSearchParams({ payment: paymentId, t: returnToken(paymentId, config) })}`;

export const paymentCookie = (linkId: string, paymentId: string, config: Config): string =>
  cookie(PAYMENT, `${paymentId}.${returnToken(paymentId, config)}`, linkId, config);

/** The payment that a visitor may see: the one in the URL, or the one begun in this browser. */
export function shownPayment(
  { query, cookies }: RawRequest,
  config: Config,
): { readonly id: string; readonly from: 'address' | 'cookie' } | undefined {
  const [begun = '', begunToken = ''] = (cookies[PAYMENT] ?? '').split('.');
  if (isToken(query.payment, query.t, config)) return { id: query.payment ?? '', from: 'address' };
  return isToken(begun, begunToken, config) ? { id: begun, from: 'cookie' } : undefined;
}

const isToken = (id: string | undefined, token: string | undefined, config: Config): boolean =>
  sameText(token ?? '', returnToken(id ?? '', config));

function cookie(name: string, value: string, linkId: string, { apiUrl }: Config): string {
  const secure = apiUrl.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/pay/${linkId}; Max-Age=${DAY_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}
