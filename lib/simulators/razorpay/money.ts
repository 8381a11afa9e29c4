import { currencyDecimals, toMajorUnits } from '#lib/simulators/kit/money.ts';
import { invalid, invalidState } from '#lib/simulators/razorpay/errors.ts';

const decimals = currencyDecimals(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  'BHD IQD JOD KWD OMR TND',
);

/** An amount for display. */
export const display = (amount: number, currency: string): string =>
  `${currency} ${toMajorUnits(amount, decimals(currency))}`;

/** The smallest difference between two amounts of this currency. */
export const smallestStep = (currency: string): number => (decimals(currency) === 3 ? 10 : 1);

/** Razorpay's rules for amounts. Only the minimum in rupees is documented. */
export function checkMoney(amount: number, currency: string): void {
  if (!/^[A-Z]{3}$/.test(currency)) throw invalid('The currency must be 3 characters.', 'currency');
  if (amount < 1) throw invalid('The amount must be at least 1.', 'amount');
  if (currency === 'INR' && amount < 100)
    throw invalidState('Order amount less than minimum amount allowed', 'amount_less_than_minimum_amount');
  if (amount % smallestStep(currency) !== 0)
    throw invalid(`The last digit of an amount of ${currency} must be 0.`, 'amount');
}
