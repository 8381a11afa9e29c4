import type { CardReport, NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import type { ChargeReport } from '#shared/ports/charge-report.port.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import { nonEmpty } from '#shared/psp/kit/details.ts';

/** What a provider reports of a card, in its own words. */
type ReportedCard = {
  readonly brand?: unknown;
  /** The last digits, perhaps masked before. */
  readonly last4?: unknown;
  readonly funding?: unknown;
  readonly country?: unknown;
  readonly month?: unknown;
  readonly year?: unknown;
};

/** `network` of an outcome; nothing if the provider reported nothing. */
export function networkPart(fields: NetworkReport): Pick<ChargeReport, 'network'> {
  const network = nonEmpty(fields);
  return network ? { network } : {};
}

/** Values that do not look like what they should be are left out, so that nothing else ever gets into a report. */
export const cardReport = ({ brand, last4, funding, country, month, year }: ReportedCard): CardReport | undefined =>
  nonEmpty({
    brand: brandOf(brand),
    last4: /(\d{4})$/.exec(textOf(last4))?.[1],
    funding: (['credit', 'debit', 'prepaid'] as const).find((word) => word === textOf(funding).toLowerCase()),
    issuer_country: /(?:^|\s)([A-Z]{2})$/.exec(textOf(country).toUpperCase())?.[1],
    exp_month: numberBetween(month, 1, 12),
    exp_year: yearOf(year),
  });

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Names of one brand. Others are only written in lower case. */
const BRANDS: Readonly<Record<string, string>> = {
  american_express: 'amex',
  carte_bancaire: 'cartes_bancaires',
  carte_bleue: 'cartes_bancaires',
  china_union_pay: 'unionpay',
  cup: 'unionpay',
  diners_club: 'diners',
  master_card: 'mastercard',
  mc: 'mastercard',
  union_pay: 'unionpay',
};

const NO_BRANDS: ReadonlySet<string> = new Set(['card', 'none', 'other', 'unknown']);

function brandOf(name: unknown): string | undefined {
  const word = textOf(name)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '');
  const isBrand = /^[a-z][a-z_]{1,29}$/.test(word) && !NO_BRANDS.has(word);
  return isBrand ? (lookUp(BRANDS, word) ?? word) : undefined;
}

function numberBetween(value: unknown, least: number, most: number): number | undefined {
  const number = /^\d{1,4}$/.test(textOf(value)) ? Number(value) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
}

const yearOf = (value: unknown): number | undefined =>
  numberBetween(value, 2000, 2099) ?? (textOf(value) === '' ? undefined : shortYear(numberBetween(value, 0, 99)));

const shortYear = (year: number | undefined): number | undefined => (year === undefined ? undefined : 2000 + year);

/** `02/29` and `02/2029`. */
export function expiryOf(text: unknown): Pick<ReportedCard, 'month' | 'year'> {
  const [, month, year] = /^(\d{1,2})\/(\d{2}|\d{4})$/.exec(textOf(text)) ?? [];
  return { month, year };
}

/** A code of an issuer or a network: short, and of letters and digits only. */
export const networkCode = (code: unknown): string | undefined => /^[A-Za-z0-9]{1,8}$/.exec(textOf(code))?.[0];

/** The indicator of 3-D Secure, of two digits. */
export const eciOf = (code: unknown): string | undefined =>
  /^\d{1,2}$/.test(textOf(code)) ? textOf(code).padStart(2, '0') : undefined;

/** The network's id of a transaction. */
export const networkTransactionId = (id: unknown): string | undefined =>
  /^[A-Za-z0-9._-]{4,64}$/.test(textOf(id)) ? textOf(id) : undefined;
