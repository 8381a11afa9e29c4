import { expect, it } from 'vitest';
import { typedInput } from '#functions/hosted-pages/typed-input.rules.ts';

it.each([
  ['a code with blanks and Arabic digits', 'otp', { otp: ' ١٢٣ ٤٥٦\u200f' }, { otp: '123456' }],
  ['a PIN in full-width digits', 'pin', { pin: '１２３４' }, { pin: '1234' }],
  ['a code that is no number', 'otp', { otp: 'Ab-12' }, { otp: 'Ab12' }],
  ['a phone number, whose blanks stay', 'phone', { phone: '+٢٣٤ ٨٠٣' }, { phone: '+234 803' }],
  ['a date in Devanagari digits', 'birthday', { birthday: '१९९०-०१-३१' }, { birthday: '1990-01-31' }],
  [
    'an address, apart from its digits',
    'address',
    { address: 'Rue 5 – bis', zip_code: '７５００１' },
    { address: 'Rue 5 – bis', zip_code: '75001' },
  ],
] as const)('what a customer types is passed on as banks take it: %s', (_, field, typed, expected) =>
  expect(typedInput(field, typed)).toEqual(expected),
);
