import type { MethodKind, Words } from '#functions/hosted-pages/locales/locale.model.ts';
import { nameInWords } from '#functions/hosted-pages/views/format.page.ts';

/** Brands are called the same everywhere. */
const BRANDS: Readonly<Record<string, string>> = {
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  upi: 'UPI',
  eps: 'EPS',
  p24: 'Przelewy24',
  klarna: 'Klarna',
  alipay: 'Alipay',
  wechat_pay: 'WeChat Pay',
  blik: 'BLIK',
  knet: 'KNET',
  paypal: 'PayPal',
  twint: 'TWINT',
  bizum: 'Bizum',
  swish: 'Swish',
  vipps: 'Vipps',
  mobilepay: 'MobilePay',
  trustly: 'Trustly',
  satispay: 'Satispay',
  mybank: 'MyBank',
  kbc: 'KBC/CBC',
  belfius: 'Belfius',
  multibanco: 'Multibanco',
  mbway: 'MB WAY',
  pix: 'Pix',
  boleto: 'Boleto',
  oxxo: 'OXXO',
  mpesa: 'M-Pesa',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
};

export function methodName(method: string, words: Words): string {
  const own = Object.hasOwn(words.methods, method) ? words.methods[method as MethodKind] : undefined;
  return own ?? (Object.hasOwn(BRANDS, method) ? BRANDS[method] : undefined) ?? nameInWords(method);
}
