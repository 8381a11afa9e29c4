import { serverNow } from '#client/dashboard/api/server-time.ts';
import { exponentOf } from '#client/dashboard/i18n/currencies.ts';

/** How one locale writes numbers, money and times. Money is given in minor units. */
export type Formats = {
  readonly locale: string;
  /** With the plain sign, such as €; the code follows where the sign is one of several currencies: $5.00 USD. */
  readonly money: (amount: number, currency: string) => string;
  /** With the plain sign, such as $: only where the currency's code stands beside it. */
  readonly moneyBare: (amount: number, currency: string) => string;
  /** Short, for axes and hints: €746, €12.3K. */
  readonly moneyShort: (amount: number, currency: string) => string;
  readonly number: (value: number) => string;
  /** 0.931 is 93.1 %. */
  readonly percent: (share: number) => string;
  readonly date: (at: string | Date) => string;
  /** A day of UTC, such as 2026-01-31, shown as this day in every zone. */
  readonly day: (day: string) => string;
  /** The same without the day of the week. */
  readonly dayShort: (day: string) => string;
  readonly time: (at: string | Date) => string;
  readonly relative: (at: string | Date, now?: Date) => string;
  /** How long ago it was, in whole units: 8 days. */
  readonly elapsed: (at: string | Date, now?: Date) => string;
  readonly duration: (ms: number) => string;
  readonly country: (code: string) => string;
  readonly plural: (count: number, forms: PluralForms) => string;
};

/** `#` stands for the number. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string };

const made = new Map<string, Formats>();

export function formatsFor(locale: string): Formats {
  const known = made.get(locale);
  if (known) return known;
  const formats = { locale, ...numbersIn(locale), ...timesIn(locale) };
  made.set(locale, formats);
  return formats;
}

function numbersIn(locale: string) {
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  const plurals = new Intl.PluralRules(locale);
  const countries = new Intl.DisplayNames(locale, { type: 'region' });
  const money = (amount: number, currency: string, options: Intl.NumberFormatOptions): string => {
    const digits = exponentOf(currency);
    const format = { style: 'currency', currency, ...digitsOf(digits), ...options } as const;
    return new Intl.NumberFormat(locale, format).format(amount / 10 ** digits);
  };
  return {
    number: (value: number) => number.format(value),
    percent: (share: number) => percent.format(share),
    money: (amount: number, currency: string) => {
      const bare = money(amount, currency, BARE);
      return bare === money(amount, currency, {}) ? bare : `${bare} ${currency}`;
    },
    moneyBare: (amount: number, currency: string) => money(amount, currency, BARE),
    moneyShort: (amount: number, currency: string) =>
      money(amount, currency, { ...BARE, ...(isLong(amount, currency) ? COMPACT : digitsOf(0)) }),
    plural: (count: number, forms: PluralForms) =>
      (forms[plurals.select(count)] ?? forms.other).replace('#', number.format(count)),
    country: (code: string) => countries.of(code) ?? code,
  };
}

const BARE = { currencyDisplay: 'narrowSymbol' } as const;
const COMPACT = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 } as const;

/** From ten thousand on, thousands are enough. */
const isLong = (amount: number, currency: string): boolean => Math.abs(amount) >= 10 ** (4 + exponentOf(currency));

const digitsOf = (digits: number) => ({ minimumFractionDigits: digits, maximumFractionDigits: digits });

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function timesIn(locale: string) {
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
  const dayShort = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  return {
    date: (at: string | Date) => date.format(new Date(at)),
    day: (text: string) => day.format(startOf(text)),
    dayShort: (text: string) => dayShort.format(startOf(text)),
    time: (at: string | Date) => time.format(new Date(at)),
    relative: (at: string | Date, now = serverNow()) => relative.format(...untilIn(at, now)),
    elapsed: (at: string | Date, now = serverNow()) => {
      const [count, unit] = untilIn(at, now);
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.abs(count));
    },
    duration: (ms: number) => durationIn(locale, ms),
  };
}

/** In the largest unit that fits, without a rest; negative for what has been. */
function untilIn(at: string | Date, now: Date) {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1_000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const);
  return [Math.trunc(seconds / size), unit] as const;
}

const startOf = (day: string): Date => new Date(`${day.slice(0, 10)}T00:00:00Z`);

function durationIn(locale: string, ms: number): string {
  const format = (value: number, unit: string): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(
      value,
    );
  if (ms < 1_000) return format(Math.round(ms), 'millisecond');
  if (ms < 60_000) return format(ms / 1_000, 'second');
  if (ms < 3_600_000) return format(ms / 60_000, 'minute');
  if (ms < 86_400_000) return format(ms / 3_600_000, 'hour');
  return format(ms / 86_400_000, 'day');
}
