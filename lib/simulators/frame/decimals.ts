/** How many decimals a PSP counts with: two, but for the currencies on its lists. */
export function decimalsBy(none: string, three: string): (currency: string) => number {
  const exceptions = new Map([
    ...none.split(' ').map((code) => [code, 0] as const),
    ...three.split(' ').map((code) => [code, 3] as const),
  ]);
  return (currency) => exceptions.get(currency) ?? 2;
}

export const inMajor = (units: number, decimals: number): string => (units / 10 ** decimals).toFixed(decimals);
