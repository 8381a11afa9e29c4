import type { PaymentStatus } from '#shared/domain/payments/payment.model.ts';

/** Text that a URL has to encode: control characters, spaces and all that is not ASCII. */
const NOT_URL_TEXT = /[^\x21-\x7e]+/gu;

/**
 * The merchant's `return_url` as it was given, byte for byte: it may be signed. Our parameters come last in its query,
 * before a fragment. A parameter of the same name stays too, so that one appears twice; ours is the last.
 */
export function merchantReturnUrl(
  returnUrl: string,
  { id, status }: { readonly id: string; readonly status: PaymentStatus },
): string {
  const url = toAscii(returnUrl);
  const mark = url.indexOf('#');
  const [address, fragment] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark)];
  return `${address}${separatorAfter(address)}payment_id=${id}&status=${status}${fragment}`;
}

function separatorAfter(address: string): string {
  if (!address.includes('?')) return '?';
  return /[?&]$/.test(address) ? '' : '&';
}

/** Without it, or with backslashes, a browser would look for the page on our own server. */
const USUAL_FORM = /^https?:\/\/[^/\\]/i;

/** A header holds ASCII only. A host name in another script becomes its ASCII form; anything else is encoded. */
function toAscii(returnUrl: string): string {
  const text = returnUrl.trim().replaceAll(/[\t\r\n]/g, '');
  if (!USUAL_FORM.test(text)) return new URL(text).href;
  const [, origin = '', rest = ''] = /^([a-z]+:\/*[^/?#]*)(.*)$/isu.exec(text) ?? [];
  return `${asciiOrigin(origin)}${rest.replaceAll(NOT_URL_TEXT, encodeURI)}`;
}

const NOT_ASCII = /[^\x21-\x7e]/u;

/** The user information before the host stays. */
function asciiOrigin(origin: string): string {
  if (!NOT_ASCII.test(origin)) return origin;
  const { href } = new URL(origin);
  return href.endsWith('/') ? href.slice(0, -1) : href;
}

/** The provider's parameters on the customer's return, and the token of our own URL. */
export type ReturnParameters = { readonly token: string; readonly parameters: Readonly<Record<string, string>> };

/**
 * Some providers append their parameters with a second `?`, which makes them part of our token. Neither `?` nor `,`
 * occurs in a token: a comma joins a parameter that is there twice.
 */
export function splitReturnQuery(query: Readonly<Record<string, string | undefined>>): ReturnParameters {
  const { t = '', ...others } = query;
  const [tokens = '', ...appended] = t.split('?');
  const pairs = appended.map((text) => splitOnce(text, '='));
  const present = Object.entries(others).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { token: tokens.split(',')[0] ?? '', parameters: Object.fromEntries([...pairs, ...present]) };
}

function splitOnce(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** Parameters in which providers say how it ended, and what they say of a payment. */
const OUTCOMES = ['status', 'payment_status', 'redirect_status', 'razorpay_payment_link_status', 'resultCode'] as const;
const PAID = /^(success|successful|succeeded|completed?|paid|authori[sz]ed|approved|pending)$/i;
/** Parameters that providers add only after the customer has paid or agreed. */
const ONLY_AFTER_PAYMENT = ['PayerID', 'razorpay_payment_id', 'redirectResult'] as const;

/**
 * Whether the customer seems to have paid. This proves nothing: it only keeps the page from saying that they stopped,
 * to customers whose provider is slower than their browser.
 */
export const claimsPayment = (parameters: Readonly<Record<string, string>>): boolean =>
  OUTCOMES.some((name) => PAID.test(parameters[name] ?? '')) ||
  ONLY_AFTER_PAYMENT.some((name) => (parameters[name] ?? '') !== '');
