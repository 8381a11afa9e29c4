/** The number of decimals of a currency at a PSP: two, except for the currencies in its two lists. */
export function currencyDecimals(none: string, three: string): (currency: string) => number {
  const exceptions = new Map([
    ...none.split(' ').map((code) => [code, 0] as const),
    ...three.split(' ').map((code) => [code, 3] as const),
  ]);
  return (currency) => exceptions.get(currency) ?? 2;
}

/** An amount of minor units as the PSP writes it in major units: 1250 with two decimals is `12.50`. */
export const toMajorUnits = (units: number, decimals: number): string => (units / 10 ** decimals).toFixed(decimals);
