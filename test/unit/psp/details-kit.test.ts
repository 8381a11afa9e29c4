import { describe, expect, it } from 'vitest';
import { avsOfLetter, avsOfWords, cvcOfLetter } from '#shared/psp/kit/card-checks.ts';
import { cut, phoneParts, splitName, statementText } from '#shared/psp/kit/details.ts';

const RULES = { max: 22, min: 2, refused: /[<>\\'"*]/g };

describe('a text for a statement', () => {
  it.each([
    ['stays as it is, if every rule holds', 'SHOP EXAMPLE', 'SHOP EXAMPLE'],
    ['loses its accents', 'Café Zürich Łódź Straße', 'Cafe Zurich Lodz Stras'],
    ['loses letters of other alphabets', 'Кафе Cafe', 'Cafe'],
    ['loses what the provider refuses', 'A*B <C> "D"', 'AB C D'],
    ['is cut, without a blank at its end', 'ABCDEFGHIJKLMNOPQRSTU VWX', 'ABCDEFGHIJKLMNOPQRSTU'],
    ['has one blank where characters were dropped', 'SHOP 😀 BERLIN', 'SHOP BERLIN'],
  ])('%s', (_, text, sent) => expect(statementText(text, RULES)).toBe(sent));

  it.each([
    ['there is none', undefined],
    ['nothing of it may be sent', '😀 "*"'],
    ['too little of it is left', 'Ж*A'],
  ])('is left out if %s', (_, text) => expect(statementText(text, RULES)).toBeUndefined());
});

describe('a phone number', () => {
  it.each([
    ['+4915112345678', { code: '49', number: '15112345678' }],
    ['+14155552671', { code: '1', number: '4155552671' }],
    ['+79161234567', { code: '7', number: '9161234567' }],
    ['+442071838750', { code: '44', number: '2071838750' }],
    ['+353861234567', { code: '353', number: '861234567' }],
    ['+2348012345678', { code: '234', number: '8012345678' }],
    ['+27821234567', { code: '27', number: '821234567' }],
    ['+85251234567', { code: '852', number: '51234567' }],
    ['+420601123456', { code: '420', number: '601123456' }],
    ['+97150123456', { code: '971', number: '50123456' }],
    ['+919876543210', { code: '91', number: '9876543210' }],
    ['+37061234567', { code: '370', number: '61234567' }],
  ])('%s has a calling code and a number', (phone, parts) => expect(phoneParts(phone)).toEqual(parts));

  it.each([undefined, '', '0151123456', '+49', '+49123'])('%j has none', (phone) =>
    expect(phoneParts(phone)).toBeUndefined(),
  );
});

it.each([
  ['Ada Lovelace', { first: 'Ada', last: 'Lovelace' }],
  ['  Ada  King  Lovelace ', { first: 'Ada', last: 'King Lovelace' }],
  ['Madonna', { last: 'Madonna' }],
  [' ', {}],
  [undefined, {}],
])('splits the name %j', (name, parts) => expect(splitName(name)).toEqual(parts));

it('cuts a text without a half of a character, and to nothing if it is blank', () => {
  expect([cut('ab😀', 3), cut(' ab ', 5), cut('   ', 5), cut(undefined, 5)]).toEqual([
    'ab',
    'ab',
    undefined,
    undefined,
  ]);
});

describe('the result of a check', () => {
  it.each([
    ['Y', { code: 'Y', address: 'match', postal_code: 'match' }],
    ['a', { code: 'A', address: 'match', postal_code: 'mismatch' }],
    ['Z', { code: 'Z', address: 'mismatch', postal_code: 'match' }],
    ['N', { code: 'N', address: 'mismatch', postal_code: 'mismatch' }],
    ['P', { code: 'P', address: 'unchecked', postal_code: 'match' }],
    ['U', { code: 'U', address: 'unchecked', postal_code: 'unchecked' }],
    ['C', { code: 'C', address: 'unchecked', postal_code: 'unchecked' }],
    ['E', { code: 'E' }],
    ['', undefined],
    ['AB', undefined],
    [7, undefined],
  ])('of an address with the letter %j is known', (letter, avs) => expect(avsOfLetter(letter)).toEqual(avs));

  it.each([
    ['M', 'match'],
    ['N', 'mismatch'],
    ['U', 'unchecked'],
    ['Q', undefined],
    ['constructor', undefined],
    [null, undefined],
  ])('of a security code with the letter %j is %s', (letter, cvc) => expect(cvcOfLetter(letter)).toBe(cvc));

  it('of an address in words has only what was checked', () => {
    const words = { yes: 'match' } as const;
    expect(avsOfWords(words, { address: 'yes', postal_code: 'toString' })).toEqual({ address: 'match' });
    expect(avsOfWords(words, { address: null, postal_code: 7 })).toBeUndefined();
  });
});
