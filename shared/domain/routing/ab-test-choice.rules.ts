import { hash } from 'node:crypto';
import type { RunningTest, Variant } from '#shared/domain/routing/ab-test.model.ts';
import type { Want } from '#shared/domain/routing/usable-connection.rules.ts';

type Chosen = { readonly test: RunningTest; readonly variant: Variant };

type Wanted = Pick<Want, 'id' | 'customer_id' | 'currency' | 'country' | 'method'>;

/** The test that takes this payment, and its variant: always the same for a customer while the test runs. */
export function chooseVariant(tests: readonly RunningTest[], want: Wanted): Chosen | undefined {
  const test = tests.find((each) => targets(each, want));
  if (!test) return undefined;
  // Two independent hashes: being in the test says nothing about the variant, and a larger traffic share moves no
  // customer to another variant.
  const { inTraffic, amongVariants } = placesOf(test.id, want.customer_id ?? want.id);
  if (inTraffic * 100 >= test.traffic_percentage) return undefined;
  const variant = variantAt(test.variants, amongVariants);
  return variant && { test, variant };
}

function targets(
  { target_currencies, target_countries, target_methods }: RunningTest,
  { currency, country, method }: Wanted,
): boolean {
  const lists = (all: readonly string[], one: string | null) => all.length === 0 || (one !== null && all.includes(one));
  return lists(target_currencies, currency) && lists(target_countries, country) && lists(target_methods, method);
}

function variantAt(variants: readonly Variant[], place: number): Variant | undefined {
  let left = place * variants.reduce((sum, { weight }) => sum + weight, 0);
  return variants.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}

/** Two numbers in [0, 1), evenly spread, and the same for the same texts. */
function placesOf(testId: string, whose: string) {
  const digest = hash('sha256', `${testId} ${whose}`, 'buffer');
  const placeAt = (byte: number) => digest.readUIntBE(byte, 6) / 2 ** 48;
  return { inTraffic: placeAt(0), amongVariants: placeAt(6) };
}
