import { describe, expect, it } from 'vitest';
import { claimsPayment, merchantReturnUrl, splitReturnQuery } from '#functions/hosted-pages/return-url.rules.ts';

const ours = 'payment_id=pay_1&status=failed';
const goTo = (url: string): string => merchantReturnUrl(url, { id: 'pay_1', status: 'failed' });

describe('the URL that a customer returns to', () => {
  it.each([
    ['keeps a query byte for byte', 'https://shop.example/back?sig=a%20b~c&flag&status=cart7', '&'],
    ['keeps a parameter with the name of ours', 'https://shop.example/?payment_id=own&status=', '&'],
    ['keeps plus signs, brackets and wrong escapes', "https://shop.example/?a=1+1&b[]={x}|y'z&c=%zz%", '&'],
    ['keeps the order and repeated parameters', 'https://shop.example/?b=1&a=2&b=1', '&'],
    ['begins a query where there is none', 'https://shop.example/back', '?'],
    ['begins a query without a path', 'https://shop.example', '?'],
    ['adds nothing to an empty query but our parameters', 'https://shop.example/back?', ''],
    ['adds no second separator', 'https://shop.example/back?a=1&', ''],
    ['keeps capitals, the default port and user information', 'HTTPS://user:p@Shop.example:443/B', '?'],
    ['does not normalize a path', 'https://shop.example/a/../b//c/./%7e', '?'],
  ])('%s', (_, url, separator) => expect(goTo(url)).toBe(`${url}${separator}${ours}`));

  it.each([
    ['https://shop.example/#/cart?x=1', `https://shop.example/?${ours}#/cart?x=1`],
    ['https://shop.example/?a=%20#', `https://shop.example/?a=%20&${ours}#`],
    ['https://shop.example/?a=1#b#c', `https://shop.example/?a=1&${ours}#b#c`],
  ])('keeps the fragment last: %s', (url, expected) => expect(goTo(url)).toBe(expected));

  it.each([
    ['https://bücher.example/ä?q=ü#ö', `https://xn--bcher-kva.example/%C3%A4?q=%C3%BC&${ours}#%C3%B6`],
    ['https://kim:p@bücher.example:8443?a', `https://kim:p@xn--bcher-kva.example:8443?a&${ours}`],
    ['https://kim:pä@shop.example/a', `https://kim:p%C3%A4@shop.example/a?${ours}`],
    ['https://例え.jp', `https://xn--r8jz45g.jp?${ours}`],
    ['https:shop.example/a?b=1', `https://shop.example/a?b=1&${ours}`],
    ['https:\\\\shop.example\\a', `https://shop.example/a?${ours}`],
    ['https://shop.example/a b?c d', `https://shop.example/a%20b?c%20d&${ours}`],
    ['https://shop.example/x\r\nSet-Cookie: a=1', `https://shop.example/xSet-Cookie:%20a=1?${ours}`],
  ])('encodes only what a header cannot hold: %j', (url, expected) => expect(goTo(url)).toBe(expected));
});

describe('the query that a customer comes back with', () => {
  it.each<[string, Readonly<Record<string, string>>, object]>([
    ['as we gave it', { t: 'TOKEN' }, { token: 'TOKEN', parameters: {} }],
    ['with more parameters', { t: 'TOKEN', a: '1' }, { token: 'TOKEN', parameters: { a: '1' } }],
    [
      'with parameters after a second question mark',
      { t: 'TOKEN?razorpay_payment_id=pay_1', razorpay_signature: 'x=y' },
      { token: 'TOKEN', parameters: { razorpay_payment_id: 'pay_1', razorpay_signature: 'x=y' } },
    ],
    ['with a bare word after it', { t: 'TOKEN?done' }, { token: 'TOKEN', parameters: { done: '' } }],
    ['with several question marks', { t: 'TOKEN?a=1?b=2' }, { token: 'TOKEN', parameters: { a: '1', b: '2' } }],
    ['with a parameter of the same name as ours', { t: 'TOKEN,theirs' }, { token: 'TOKEN', parameters: {} }],
    ['without our token', { a: '1' }, { token: '', parameters: { a: '1' } }],
  ])('is read %s', (_, query, expected) => expect(splitReturnQuery(query)).toEqual(expected));
});

describe('a customer who comes back', () => {
  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['with nothing has not paid', {}, false],
    ['from Flutterwave, paid', { status: 'successful', tx_ref: 'att_1', transaction_id: '1' }, true],
    ['from Flutterwave, paid with another word', { status: 'completed', tx_ref: 'att_1' }, true],
    ['from Flutterwave, canceled', { status: 'cancelled', tx_ref: 'att_1' }, false],
    ['from 3-D Secure at Stripe, passed', { payment_intent: 'pi_1', redirect_status: 'succeeded' }, true],
    ['from 3-D Secure at Stripe, failed', { payment_intent: 'pi_1', redirect_status: 'failed' }, false],
    ['from PayPal, approved', { token: 'EC-1', PayerID: 'ABC' }, true],
    ['from PayPal, canceled', { token: 'EC-1' }, false],
    ['from Razorpay, paid', { razorpay_payment_id: 'pay_1' }, true],
    ['from Razorpay, failed', { 'error[code]': 'BAD_REQUEST_ERROR' }, false],
  ])('%s', (_, parameters, expected) => expect(claimsPayment(parameters)).toBe(expected));
});
