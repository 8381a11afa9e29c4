import { decimalsBy, inMajor } from '#lib/simulators/frame/decimals.ts';
import { impossible, invalid } from '#lib/simulators/razorpay/errors.ts';

const decimals = decimalsBy(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  'BHD IQD JOD KWD OMR TND',
);

/** An amount as people read it. */
export const display = (amount: number, currency: string): string =>
  `${currency} ${inMajor(amount, decimals(currency))}`;

/** How much more or less is still an amount of this currency. */
export const step = (currency: string): number => (decimals(currency) === 3 ? 10 : 1);

/**
 * Razorpay's rules for an amount of a currency. The least of rupees is documented; elsewhere only Razorpay can tell.
 */
export function checkMoney(amount: number, currency: string): void {
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid('The currency must be 3 characters.', 'currency');
  if (amount < 1) throw invalid('The amount must be at least 1.', 'amount');
  if (currency === 'INR' && amount < 100)
    throw impossible('Order amount less than minimum amount allowed', 'amount_less_than_minimum_amount');
  if (amount % step(currency) !== 0) throw invalid(`The last digit of an amount of ${currency} must be 0.`, 'amount');
}
