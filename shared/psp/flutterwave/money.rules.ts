import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { decimalText, isoExponent, minorUnits } from '#shared/psp/kit/currencies.ts';

/** UNVERIFIED: how a third decimal is taken is not documented, so none is sent. */
const MOST_DECIMALS = 2;

/**
 * Our minor units as a JSON number of major units; undefined where Flutterwave can't be asked for exactly this. The
 * number is read back as it will be written, so that no float error gets into an amount.
 */
export function majorUnits(amount: number, currency: string): number | undefined {
  if (!isCurrency(currency) || amount < 1) return undefined;
  const text = decimalText(amount, currency, Math.min(MOST_DECIMALS, isoExponent(currency)));
  const units = Number(text);
  return text !== undefined && minorUnits(JSON.stringify(units), currency) === amount ? units : undefined;
}

type Reported = number | string | null | undefined;

/**
 * What Flutterwave reports, in our minor units. What is finer than those can't be compared, so nothing is known of it.
 */
export function ourUnits(
  reported: Reported,
  currency: string | null | undefined,
): { readonly amount: number; readonly currency: string } {
  const code = currency?.toUpperCase() ?? '';
  const amount =
    isCurrency(code) && reported !== null && reported !== undefined ? minorUnits(String(reported), code) : undefined;
  if (amount === undefined) throw new PspOutcomeUnknown('Flutterwave names no amount that is understood.');
  return { amount, currency: code };
}
