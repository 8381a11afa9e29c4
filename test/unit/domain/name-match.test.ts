import { describe, expect, it } from 'vitest';
import { matchNames } from '#shared/domain/routing/name-match.rules.ts';

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
    ['similar to a legal form', 'SE Ltd', 'SE'],
    ['with a legal form in several words', 'Acme S. A.', 'Acme SA'],
    ['with a legal form in spaced letters', 'Acme L L C', 'Acme'],
    ['with a slash in the legal form', 'Acme A/S', 'Acme AS'],
    ['of a Polish company', 'Acme Sp. z o.o.', 'ACME'],
    ['of a Czech company', 'Acme s. r. o.', 'Acme s.r.o.'],
    ['of a Mexican company', 'Acme S. de R.L. de C.V.', 'Acme'],
    ['of a Swiss company', 'Acme S.à r.l.', 'Acme Sàrl'],
    ['of a German start-up', 'Acme UG (haftungsbeschränkt)', 'Acme'],
    ['of a Brazilian small company', 'ACME LTDA - ME', 'Acme'],
    ['of a Turkish company', 'İstanbul A.Ş.', 'İSTANBUL'],
    ['of a Russian company', 'ООО Ромашка', 'Ромашка'],
    ['of a Greek company', 'ΑΚΜΗ Α.Ε.', 'ακμη'],
    ['with a final sigma', 'ΟΔΟΣ Α', 'ΟΔΟΣΑ'],
    ['of a Japanese company, in front', '㈱アクメ', 'アクメ'],
    ['of a Japanese company, behind', 'アクメ株式会社', '株式会社アクメ'],
    ['with an apostrophe that is a letter', 'LʼOréal SA', "L'Oréal"],
    ['with an invisible character', 'Acme\u00adCorp', 'Acme\u200bCorp'],
  ])('%s match', (_, a, b) => {
    expect(matchNames(a, b)).toBe('match');
    expect(matchNames(b, a)).toBe('match');
  });

  it.each([
    ['Demo Shop', 'Demo Shops'],
    ['Demo Shop Ltd', 'Other Shop Ltd'],
    ['SA Tyres', 'Tyres'],
    ['Café', 'Cafe'],
    ['Call Me Ltd', 'Call Ltd'],
    ['ACME SA', 'ACME SB'],
    ['Company', 'Corp'],
    ['AB Co', 'AG Co'],
  ])('that differ do not match: %s, %s', (a, b) => expect(matchNames(a, b)).toBe('mismatch'));

  it.each([
    [null, 'Demo Shop'],
    ['Demo Shop', null],
    ['', 'Demo Shop'],
    ['!!!', 'Demo Shop'],
  ])('cannot be compared if one is missing: %s, %s', (a, b) => expect(matchNames(a, b)).toBe('unknown'));
});
