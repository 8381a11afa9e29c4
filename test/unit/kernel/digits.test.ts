import { expect, it } from 'vitest';
import { toAsciiDigits } from '#shared/kernel/text.ts';

it('reads every decimal digit of Unicode as its value', () => {
  const digits = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character));
  expect(digits.length).toBeGreaterThan(600);
  // Unicode lists the ten digits of each script in order, beginning with zero.
  expect(digits.map(toAsciiDigits)).toEqual(digits.map((_, n) => String(n % 10)));
});

it.each(['', 'abc', '½ ² ①', 'Ⅳ', '😀'])('leaves %j as it is, where nothing is a decimal digit', (text) =>
  expect(toAsciiDigits(text)).toBe(text),
);
