import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { decimalText, isoExponent, minorUnits } from '#shared/psp/kit/currencies.ts';
import type { Money } from '#shared/psp/paypal/objects.schema.ts';

/**
 * PayPal takes no decimals in these, though HUF and TWD have two in ISO. The list is not verified: if a currency is
 * missing here, PayPal refuses its decimals; nothing is ever rounded.
 */
const WHOLE: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);
const MOST_DECIMALS = 2;
const MAX_LENGTH = '999999999999999.99'.length;

const places = (currency: string): number => (WHOLE.has(currency) ? 0 : Math.min(isoExponent(currency), MOST_DECIMALS));

/** Our minor units as PayPal's decimal text; undefined if that can't be exact. */
export function paypalValue(amount: number, currency: string): string | undefined {
  if (!isCurrency(currency) || amount < 1) return undefined;
  const text = decimalText(amount, currency, places(currency));
  return text !== undefined && text.length <= MAX_LENGTH ? text : undefined;
}

/** PayPal's amount in our minor units. One that can't be exact is not comparable, so nothing is concluded from it. */
export function ourUnits({ value, currency_code }: Money): { readonly amount: number; readonly currency: string } {
  const amount = minorUnits(value, currency_code);
  if (amount === undefined) throw new PspOutcomeUnknown('PayPal reports an amount that is not understood.');
  return { amount, currency: currency_code };
}
