import type { NetworkChoice } from '#shared/ports/psp.port.ts';

/** The networks of a method, by the provider's own name, each with the other names that customers give it. */
export type Networks = Readonly<Record<string, readonly string[]>>;

/** Words that say what a network is for, and not which one it is. */
const GENERIC_WORDS = /MOBILE|MONEY|MOMO|CASH|WALLET/g;

/** `MTN MoMo`, `mtn` and `M.T.N.` are one name. A name that is hardly more than generic words stays: `mCash`. */
function comparable(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
  const own = plain.replaceAll(GENERIC_WORDS, '');
  return own.length > 1 ? own : plain;
}

/** The provider's own name of a network that a client names; undefined if it is none of these. */
export function findNetwork(networks: Networks, named: string): string | undefined {
  const wanted = comparable(named);
  return Object.keys(networks).find((name) =>
    [name, ...(networks[name] ?? [])].some((each) => comparable(each) === wanted),
  );
}

/**
 * An adapter's `networksToChooseFrom`. `networksOf` returns the networks that such a charge can use, or undefined if it
 * needs none.
 */
export const networkCheck =
  (networksOf: (charge: Omit<NetworkChoice, 'network'>) => Networks | undefined) =>
  ({ network, ...charge }: NetworkChoice): readonly string[] | undefined => {
    const networks = networksOf(charge);
    return networks === undefined || findNetwork(networks, network) ? undefined : Object.keys(networks);
  };
