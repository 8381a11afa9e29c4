import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, type Money, parseDecimal, toDecimal } from '#shared/psp/kit/money.ts';

/** UNVERIFIED: how a third decimal is read, so none is sent. */
const MAX_DECIMALS = 2;

/**
 * Our minor units as a JSON number of major units; undefined where Flutterwave cannot charge exactly this. The
 * number is read back as it will be written, so that no float error gets into an amount.
 */
export function majorUnits(amount: number, currency: string): number | undefined {
  if (!isCurrency(currency) || amount < 1) return undefined;
  const text = toDecimal(amount, currency, Math.min(MAX_DECIMALS, isoExponent(currency)));
  const units = Number(text);
  return text !== undefined && parseDecimal(JSON.stringify(units), currency) === amount ? units : undefined;
}

type ReportedAmount = number | string | null | undefined;

/**
 * What Flutterwave reports, in our minor units. An amount finer than those cannot be compared, so the outcome is
 * unknown.
 */
export function toOurMoney(reported: ReportedAmount, currency: string | null | undefined): Money {
  const code = currency?.toUpperCase() ?? '';
  const amount =
    isCurrency(code) && reported !== null && reported !== undefined ? parseDecimal(String(reported), code) : undefined;
  if (amount === undefined) throw new PspOutcomeUnknown('Flutterwave names no amount that is understood.');
  return { amount, currency: code };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  majorUnits(amount, currency) !== undefined;
