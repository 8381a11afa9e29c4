import { CURRENCIES } from '#shared/domain/reference/currencies.catalog.ts';

/** An amount in minor units, with as many decimals as the currency has. */
export function formatAmount(amount: number, currency: string, language: string): string {
  const digits = CURRENCIES[currency] ?? 2;
  const formatter = new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return formatter.format(amount / 10 ** digits);
}

/** With a time zone: without one the moment is not known. */
const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*(?:Z|[+-]\d\d:?\d\d)$/;

/** How times are written, here and in the browser. */
export const DATE_TIME_FORMAT = {
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;

/** The time in UTC, and labelled so. Text that is no such time stays as it is. */
export function formatTime(text: string, language: string): string {
  const at = ISO_TIME.test(text) ? new Date(text) : undefined;
  if (!at || Number.isNaN(at.getTime())) return text;
  return new Intl.DateTimeFormat(language, { ...DATE_TIME_FORMAT, timeZone: 'UTC' }).format(at);
}
