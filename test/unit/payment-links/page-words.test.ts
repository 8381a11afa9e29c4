import { describe, expect, it } from 'vitest';
import { WORDS } from '#functions/hosted-pages/locales/locales.catalog.ts';
import { failureInWords } from '#functions/hosted-pages/views/failure-texts.page.ts';
import {
  countriesIn,
  momentInWords,
  nameInWords,
  sumInWords,
  waitInWords,
} from '#functions/hosted-pages/views/format.page.ts';
import { LANGUAGES, languageOf } from '#functions/hosted-pages/views/language.page.ts';
import { methodName } from '#functions/hosted-pages/views/method-names.page.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { FAILURE_CODES } from '#test/unit/payment-links/page-views.support.ts';

describe('the language of a visitor', () => {
  it.each<readonly [string, string | undefined, string]>([
    ['is that of the browser', 'de', 'de'],
    ['is that of a region of it', 'pt-BR', 'pt'],
    ['is the most wanted of ours', 'ja,fr;q=0.5,es;q=0.7', 'es'],
    ['is the first of those wanted alike', 'nl,de', 'nl'],
    ['is written in any case', 'FR-ca', 'fr'],
    ['may have a script', 'de-Latn-DE-1996', 'de'],
    ['is not one that is refused', 'de;q=0,fr;q=0.1', 'fr'],
    ['may stand among spaces', ' de ; q=0.4 , es ', 'es'],
    ['is English, where none of ours is wanted', 'ja,zh;q=0.5', 'en'],
    ['is English, where any will do', '*', 'en'],
    ['is English, where nobody says', undefined, 'en'],
    ['is English, where nothing is said', '', 'en'],
    ['is English, where it is nonsense', 'q=1;;,,de;q=x,deutsch-', 'en'],
    ['is no property that every object has', 'constructor,__proto__', 'en'],
    ['is found in what is far too long', `de,${'x'.repeat(100_000)}`, 'de'],
  ])('%s', (_, header, expected) => expect(languageOf(header)).toBe(expected));

  it('is read in no time, whatever is sent', () => {
    const began = process.hrtime.bigint();
    languageOf('a-'.repeat(50_000));
    languageOf(`${'de;q=0.'.repeat(20_000)}x`);
    expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(100);
  });
});

/** Whatever kind of space a language sets. */
const spaced = (text: string): string => text.replaceAll(/\s/gu, ' ');

describe('a sum', () => {
  it.each([
    [5_000, 'EUR', 'en', '€50.00'],
    [5_000, 'EUR', 'de', '50,00 €'],
    [123_456_789, 'EUR', 'fr', '1 234 567,89 €'],
    [5, 'USD', 'en', '$0.05'],
    [500, 'JPY', 'en', '¥500'],
    [500, 'JPY', 'de', '500 ¥'],
    [1_234_500, 'KWD', 'en', 'KWD 1,234.500'],
    [1, 'KWD', 'nl', 'KWD 0,001'],
    [12_345, 'CLF', 'en', 'CLF 1.2345'],
    [50_000, 'HUF', 'en', 'HUF 500.00'],
    [99_999_999_999, 'USD', 'en', '$999,999,999.99'],
  ] as const)('of %d minor units of %s in %s is %s', (amount, currency, language, expected) =>
    expect(spaced(sumInWords(amount, currency, language))).toBe(expected),
  );

  it('keeps every minor unit of every currency in every language', () => {
    for (const language of LANGUAGES) {
      for (const currency of Object.keys(CURRENCIES)) {
        expect(sumInWords(99_999_999_999, currency, language).replaceAll(/\D/g, ''), `${currency} ${language}`).toBe(
          '99999999999',
        );
      }
    }
  });
});

describe('a moment', () => {
  it.each([
    ['en', 'December 24, 2026 at 16:30 UTC'],
    ['de', '24. Dezember 2026 um 16:30 UTC'],
    ['fr', '24 décembre 2026 à 16:30 UTC'],
  ] as const)('is told in %s with its zone', (language, expected) => {
    expect(spaced(momentInWords('2026-12-24T16:30:00.000Z', language))).toBe(expected);
    expect(spaced(momentInWords('2026-12-24T17:30:00+01:00', language))).toBe(expected);
  });

  it.each(['Call 60', 'in 24 hours', '2026-12-24 16:30:00', '2026-99-99T99:99:99Z', ''])(
    'stays as it is where nobody knows which: %j',
    (text) => {
      expect(momentInWords(text, 'en')).toBe(text);
    },
  );

  it.each([
    [0, 'in 1 second'],
    [45, 'in 45 seconds'],
    [540, 'in 9 minutes'],
    [541, 'in 10 minutes'],
  ])('in %d seconds is %s', (seconds, expected) => expect(waitInWords(seconds, 'en')).toBe(expected));
});

describe('names', () => {
  it.each(LANGUAGES)('of countries stand in the order of the language: %s', (language) => {
    const names = countriesIn(language).map(({ name }) => name);
    expect([names.length, names.filter((name) => /^[A-Z]{2}$/.test(name))]).toEqual([249, []]);
    expect(names).toEqual([...names].sort(new Intl.Collator(language).compare));
  });

  it('of countries are the language’s own', () => {
    expect(
      (['de', 'fr', 'es'] as const).map((language) => countriesIn(language).find(({ code }) => code === 'DE')?.name),
    ).toEqual(['Deutschland', 'Allemagne', 'Alemania']);
  });

  it.each([
    ['card', 'Karte'],
    ['ideal', 'iDEAL'],
    ['sepa_debit', 'SEPA-Lastschrift'],
    ['pay_by_star', 'Pay by star'],
    ['toString', 'To string'],
  ])('of methods: %s is %s in German', (method, expected) => expect(methodName(method, WORDS.de)).toBe(expected));

  it('that nobody has words for are taken apart', () =>
    expect(['bank_ref', 'bankRef', '__x', ''].map(nameInWords)).toEqual(['Bank ref', 'Bank ref', 'X', '']));
});

describe('why a payment failed', () => {
  it.each([
    ['insufficient_funds', /not enough money/],
    ['expired_card', /expired/],
    ['card_declined', /declined/],
    ['authentication_failed', /confirm that it was you/],
    ['expired', /time .* was over/],
    ['provider_unavailable', /cannot be reached/],
    ['no_route', /cannot be paid this way right now/],
  ])('is told in words: %s', (code, expected) => expect(failureInWords(code, WORDS.en)).toMatch(expected));

  it.each([
    'lost_card',
    'stolen_card',
    'fraud_blocked',
    'fraud_suspected',
    'restricted_card',
    'unheard_of',
    'constructor',
  ])('is told as any decline where it is %s', (code) =>
    expect(failureInWords(code, WORDS.en)).toBe(failureInWords('card_declined', WORDS.en)),
  );

  it('is told in a sentence of each language, whatever the code', () => {
    for (const code of FAILURE_CODES) {
      const told = LANGUAGES.map((language) => failureInWords(code, WORDS[language]));
      expect(new Set(told).size, code).toBe(LANGUAGES.length);
      for (const text of told) expect(text).toMatch(/^[\p{Lu}¿¡].*\.$/u);
    }
  });
});

/** Every text of a language by its path; what takes something is given a mark to keep. */
function textsIn(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]): [string, string][] => {
    const at = `${path}.${key}`;
    if (typeof value === 'function') return [[at, value('§')]];
    return typeof value === 'string' ? [[at, value]] : textsIn(value, at);
  });
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the words in %s', (language) => {
  it('leave nothing out, and show what they are given', () => {
    const [own, english] = [Object.fromEntries(textsIn(WORDS[language])), Object.fromEntries(textsIn(WORDS.en))];
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
    for (const [path, text] of Object.entries(own))
      expect([path, text.trim() !== '', text.includes('§')]).toEqual([path, true, english[path]?.includes('§')]);
  });

  it('are not English that was left standing', () => {
    const english = new Map(textsIn(WORDS.en));
    expect(
      textsIn(WORDS[language]).filter(
        ([path, text]) => text.includes(' ') && text.length > 12 && english.get(path) === text,
      ),
    ).toEqual([]);
  });
});
