import { expect, it } from 'vitest';
import { formatPosition, parsePosition } from '#shared/domain/reference/page.rules.ts';
import { paymentId } from '#test/support/payment.builder.ts';

const below = paymentId(7);

it.each([
  [{ below, skip: 0 }, below],
  [{ below, skip: 1 }, `${below}+1`],
  [{ below, skip: 20_000 }, `${below}+20000`],
  [{ below, skip: 999_999_999 }, `${below}+999999999`],
])('writes %o in a form that can be read again', (position, text) => {
  expect(formatPosition(position)).toBe(text);
  expect(parsePosition(text)).toEqual(position);
});

it.each([
  '',
  '+1',
  'pay_',
  below.toUpperCase(),
  below.replace('pay', 'evt'),
  `${below}+`,
  `${below}+0`,
  `${below}+-1`,
  `${below}+01`,
  `${below}+1.5`,
  `${below}+1000000000`,
  `${below}+1+1`,
  ` ${below}`,
  `${below}\n`,
])('rejects other forms: %j', (text) => expect(parsePosition(text)).toBeUndefined());
