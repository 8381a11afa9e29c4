import { isCurrency } from '#shared/domain/reference/currencies.catalog.ts';
import { type PspFacts, PspOutcomeUnknown } from '#shared/ports/psp.port.ts';
import { isoExponent, parseDecimal, toDecimal } from '#shared/psp/kit/money.ts';
import type { Money } from '#shared/psp/paypal/schema.ts';

/**
 * PayPal takes no decimals in these, though HUF and TWD have two in ISO. The list is not verified: if a currency is
 * missing here, PayPal refuses its decimals; nothing is ever rounded.
 */
const WITHOUT_DECIMALS: ReadonlySet<string> = new Set(['HUF', 'JPY', 'TWD']);

const MAX_DECIMALS = 2;

const MAX_LENGTH = '999999999999999.99'.length;

export const decimalsOf = (currency: string): number =>
  WITHOUT_DECIMALS.has(currency) ? 0 : Math.min(isoExponent(currency), MAX_DECIMALS);

/** Our minor units as PayPal's decimal text; undefined if that cannot be exact. */
export function paypalValue(amount: number, currency: string): string | undefined {
  if (!isCurrency(currency) || amount < 1) return undefined;
  const text = toDecimal(amount, currency, decimalsOf(currency));
  return text !== undefined && text.length <= MAX_LENGTH ? text : undefined;
}

/** PayPal's amount in our minor units. An inexact amount cannot be compared, so the outcome stays unknown. */
export function toOurMoney({ value, currency_code }: Money): { readonly amount: number; readonly currency: string } {
  const amount = parseDecimal(value, currency_code);
  if (amount === undefined) throw new PspOutcomeUnknown('PayPal reports an amount that is not understood.');
  return { amount, currency: currency_code };
}

export const supportsAmount: PspFacts['supportsAmount'] = (amount, currency) =>
  paypalValue(amount, currency) !== undefined;
