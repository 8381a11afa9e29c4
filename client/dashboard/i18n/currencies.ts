/** Currencies whose minor unit has other than two decimals, as the service counts them: browsers differ for some. */
const DECIMALS: Readonly<Record<string, number>> = {
  ...decimals(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...decimals(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...decimals(4, 'CLF UYW'),
};

function decimals(count: number, codes: string): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, count]));
}

/** How many decimals an amount of this currency has. */
export const exponentOf = (currency: string): number => DECIMALS[currency] ?? 2;

/**
 * What somebody typed, such as `12.50` or `12,50`, in minor units. Undefined where it is no amount of this currency:
 * nothing is rounded, and nothing is guessed from a group of thousands.
 */
export function parseAmount(text: string, currency: string): number | undefined {
  const match = /^(\d{1,12})(?:[.,](\d+))?$/.exec(text.trim());
  const digits = exponentOf(currency);
  const [, whole = '', decimals = ''] = match ?? [];
  if (!match || decimals.length > digits) return undefined;
  return Number(whole + decimals.padEnd(digits, '0'));
}

/** Minor units as an input shows them: plain digits with a point. */
export function amountText(amount: number, currency: string): string {
  const digits = exponentOf(currency);
  return (amount / 10 ** digits).toFixed(digits);
}
