import { describe, expect, it } from 'vitest';
import { SIGN_IN_MESSAGES } from '#functions/hosted-pages/sign-in/messages.catalog.ts';
import { walletNames } from '#functions/hosted-pages/start-form-fields.rules.ts';
import { failureMessage } from '#functions/hosted-pages/views/failure-messages.page.ts';
import { formatWait, humanize, listCountries } from '#functions/hosted-pages/views/format.page.ts';
import { LANGUAGES, MESSAGES } from '#functions/hosted-pages/views/i18n.page.ts';
import { methodName } from '#functions/hosted-pages/views/start-form.page.ts';
import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';
import { formatAmount, formatTime } from '#shared/domain/reference/format.rules.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import { aConnection } from '#test/support/payment.builder.ts';
import { FAILURE_CODES } from '#test/unit/hosted-pages/link-views.support.ts';

describe('languageOf', () => {
  it.each<readonly [string, string | undefined, string]>([
    ['returns the language of the browser', 'de', 'de'],
    ['ignores the region of a language', 'pt-BR', 'pt'],
    ['returns the supported language with the highest quality', 'ja,fr;q=0.5,es;q=0.7', 'es'],
    ['returns the first of languages with the same quality', 'nl,de', 'nl'],
    ['accepts capital letters', 'FR-ca', 'fr'],
    ['ignores the script of a language', 'de-Latn-DE-1996', 'de'],
    ['skips a language with quality 0', 'de;q=0,fr;q=0.1', 'fr'],
    ['ignores spaces', ' de ; q=0.4 , es ', 'es'],
    ['returns English if no supported language is listed', 'ja,zh;q=0.5', 'en'],
    ['returns English for a wildcard', '*', 'en'],
    ['returns English if there is no header', undefined, 'en'],
    ['returns English for an empty header', '', 'en'],
    ['returns English for a malformed header', 'q=1;;,,de;q=x,deutsch-', 'en'],
    ['returns English for names of object properties', 'constructor,__proto__', 'en'],
    ['reads the beginning of a very long header', `de,${'x'.repeat(100_000)}`, 'de'],
  ])('%s', (_, header, expected) => expect(languageOf(header)).toBe(expected));

  it('reads any header in under 100 ms', () => {
    const began = process.hrtime.bigint();
    languageOf('a-'.repeat(50_000));
    languageOf(`${'de;q=0.'.repeat(20_000)}x`);
    expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(100);
  });
});

/** Languages use different kinds of spaces. */
const spaced = (text: string): string => text.replaceAll(/\s/gu, ' ');

describe('formatAmount', () => {
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
  ] as const)('formats %d minor units of %s in %s as %s', (amount, currency, language, expected) =>
    expect(spaced(formatAmount(amount, currency, language))).toBe(expected),
  );

  it('keeps every minor unit of every currency in every language', () => {
    for (const language of LANGUAGES) {
      for (const currency of Object.keys(CURRENCIES)) {
        expect(formatAmount(99_999_999_999, currency, language).replaceAll(/\D/g, ''), `${currency} ${language}`).toBe(
          '99999999999',
        );
      }
    }
  });
});

describe('formatTime and formatWait', () => {
  it.each([
    ['en', 'December 24, 2026 at 16:30 UTC'],
    ['de', '24. Dezember 2026 um 16:30 UTC'],
    ['fr', '24 décembre 2026 à 16:30 UTC'],
  ] as const)('formats a time in %s with its time zone', (language, expected) => {
    expect(spaced(formatTime('2026-12-24T16:30:00.000Z', language))).toBe(expected);
    expect(spaced(formatTime('2026-12-24T17:30:00+01:00', language))).toBe(expected);
  });

  it.each(['Call 60', 'in 24 hours', '2026-12-24 16:30:00', '2026-99-99T99:99:99Z', ''])(
    'leaves text without a known moment unchanged: %j',
    (text) => {
      expect(formatTime(text, 'en')).toBe(text);
    },
  );

  it.each([
    [0, 'in 1 second'],
    [45, 'in 45 seconds'],
    [540, 'in 9 minutes'],
    [541, 'in 10 minutes'],
  ])('formats a wait of %d seconds as "%s"', (seconds, expected) => expect(formatWait(seconds, 'en')).toBe(expected));
});

describe('names of countries and methods', () => {
  it.each(LANGUAGES)('lists all countries in the alphabetical order of %s', (language) => {
    const names = listCountries(language).map(({ name }) => name);
    expect([names.length, names.filter((name) => /^[A-Z]{2}$/.test(name))]).toEqual([249, []]);
    expect(names).toEqual([...names].sort(new Intl.Collator(language).compare));
  });

  it('translates the names of countries', () => {
    expect(
      (['de', 'fr', 'es'] as const).map((language) => listCountries(language).find(({ code }) => code === 'DE')?.name),
    ).toEqual(['Deutschland', 'Allemagne', 'Alemania']);
  });

  it.each([
    ['card', 'Karte'],
    ['ideal', 'iDEAL'],
    ['sepa_debit', 'SEPA-Lastschrift'],
    ['pay_by_star', 'Pay by star'],
    ['toString', 'To string'],
    ['wallet', 'Apple Pay, Google Pay'],
  ])('names the method %s %s in German', (method, expected) => expect(methodName(method, MESSAGES.de)).toBe(expected));

  it('names the wallets that the providers of the link offer', () => {
    const offered = (...providers: string[]) =>
      walletNames({
        connections: providers.map((provider) => aConnection({ provider, capabilities: { methods: ['wallet'] } })),
      });
    expect(offered('stripe', 'paypal', 'adyen')).toEqual(['Apple Pay', 'Google Pay', 'PayPal']);
    expect(offered('paypal')).toEqual(['PayPal']);
    expect([offered(), offered('razorpay')]).toEqual([undefined, undefined]);
    expect(methodName('wallet', MESSAGES.de, ['PayPal'])).toBe('PayPal');
  });

  it('makes names without a translation readable', () =>
    expect(['bank_ref', 'bankRef', '__x', ''].map(humanize)).toEqual(['Bank ref', 'Bank ref', 'X', '']));
});

describe('failureMessage', () => {
  it.each([
    ['insufficient_funds', /not enough money/],
    ['expired_card', /expired/],
    ['card_declined', /declined/],
    ['authentication_failed', /confirm that it was you/],
    ['expired', /timed out/],
    ['provider_unavailable', /not available right now/],
    ['no_route', /cannot pay this way right now/],
  ])('explains %s', (code, expected) => expect(failureMessage(code, MESSAGES.en)).toMatch(expected));

  it.each([
    'lost_card',
    'stolen_card',
    'fraud_blocked',
    'fraud_suspected',
    'restricted_card',
    'unheard_of',
    'constructor',
  ])('shows a plain decline for %s', (code) =>
    expect(failureMessage(code, MESSAGES.en)).toBe(failureMessage('card_declined', MESSAGES.en)),
  );

  it('speaks of a card only where one was used', () => {
    const cards = /card|karte|carte|tarjeta|kaart|cartão/i;
    for (const code of FAILURE_CODES) {
      for (const language of LANGUAGES) {
        const text = failureMessage(code, MESSAGES[language], 'bank_transfer');
        expect([code, language, cards.test(text) && text]).toEqual([code, language, false]);
      }
    }
    expect(failureMessage('card_declined', MESSAGES.en, 'card')).toMatch(cards);
  });

  it('has a sentence in each language for every failure code', () => {
    for (const code of FAILURE_CODES) {
      const texts = LANGUAGES.map((language) => failureMessage(code, MESSAGES[language]));
      expect(new Set(texts).size, code).toBe(LANGUAGES.length);
      for (const text of texts) expect(text).toMatch(/^[\p{Lu}¿¡].*\.$/u);
    }
  });
});

/** Every text of a language by its path. A function gets a mark that its text must contain. */
function textsIn(messages: object, path = ''): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]): [string, string][] => {
    const at = `${path}.${key}`;
    if (typeof value === 'function') return [[at, value('§')]];
    return typeof value === 'string' ? [[at, value]] : textsIn(value, at);
  });
}

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the sign-in page in %s', (language) => {
  it('has every text of English, none of them in English, and keeps the places for numbers', () => {
    const [own, english] = [textsIn(SIGN_IN_MESSAGES[language]), new Map(textsIn(SIGN_IN_MESSAGES.en))];
    expect(own.map(([path]) => path)).toEqual([...english.keys()]);
    for (const [path, text] of own) {
      const original = english.get(path)!;
      expect([path, text.trim() === '', text.includes('{seconds}')]).toEqual([
        path,
        false,
        original.includes('{seconds}'),
      ]);
      if (original.length > 12) expect([path, text]).not.toEqual([path, original]);
    }
  });
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('the locale %s', (language) => {
  it('has every text of English and uses its arguments', () => {
    const [own, english] = [Object.fromEntries(textsIn(MESSAGES[language])), Object.fromEntries(textsIn(MESSAGES.en))];
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
    for (const [path, text] of Object.entries(own))
      expect([path, text.trim() !== '', text.includes('§')]).toEqual([path, true, english[path]?.includes('§')]);
  });

  it('has no text left in English', () => {
    const english = new Map(textsIn(MESSAGES.en));
    expect(
      textsIn(MESSAGES[language]).filter(
        ([path, text]) => text.includes(' ') && text.length > 12 && english.get(path) === text,
      ),
    ).toEqual([]);
  });
});
