import { toMajorUnits } from '#lib/simulators/kit/money.ts';
import type { StoredTransaction } from '#lib/simulators/paystack/objects.ts';

/** The currencies that Paystack supports. */
export const CURRENCIES = ['NGN', 'GHS', 'ZAR', 'KES', 'USD', 'XOF', 'EGP', 'RWF'];

/** An amount for display. All these currencies have two decimals at Paystack. */
export const displayAmount = ({ body: { amount, currency } }: StoredTransaction): string =>
  `${currency} ${toMajorUnits(amount, 2)}`;
