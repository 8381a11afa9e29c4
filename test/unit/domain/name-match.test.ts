import { describe, expect, it } from 'vitest';
import { matchNames } from '#shared/domain/name-match.rules.ts';

describe('two names', () => {
  it.each([
    ['in another case', 'Demo Shop', 'DEMO SHOP'],
    ['with and without a legal form', 'Demo Shop Ltd', 'Demo Shop'],
    ['with another spelling of the legal form', 'Demo Shop, S.A.', 'Demo Shop SA'],
    ['with several legal forms', 'Müller GmbH & Co. KG', 'müller'],
    ['with a legal form in front', 'PT Toko Demo Tbk', 'Toko Demo'],
    ['with other punctuation and spaces', 'Demo-Shop', 'Demo  Shop!'],
    ['with an apostrophe of another kind', 'L’Oréal', "L'Oréal"],
    ['in full-width letters', 'ＤＥＭＯ　ｓｈｏｐ', 'Demo Shop'],
    ['composed and decomposed', 'Café', 'Cafe\u0301'],
    ['with ß and SS', 'Straßenbau AG', 'STRASSENBAU'],
    ['like a legal form', 'SE Ltd', 'SE'],
  ])('%s match', (_, a, b) => {
    expect(matchNames(a, b)).toBe('match');
    expect(matchNames(b, a)).toBe('match');
  });

  it.each([
    ['Demo Shop', 'Demo Shops'],
    ['Demo Shop Ltd', 'Other Shop Ltd'],
    ['SA Tyres', 'Tyres'],
    ['Café', 'Cafe'],
  ])('that differ do not: %s, %s', (a, b) => expect(matchNames(a, b)).toBe('mismatch'));

  it.each([
    [null, 'Demo Shop'],
    ['Demo Shop', null],
    ['', 'Demo Shop'],
    ['!!!', 'Demo Shop'],
  ])('of which one is missing say nothing: %s, %s', (a, b) => expect(matchNames(a, b)).toBe('unknown'));
});
