import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SECOND } from '#shared/kernel/clock.ts';

export type Address = { readonly address: string; readonly family: number };
/** All addresses of a name; throws where there are none, or none are known when the signal ends the look-up. */
export type NameResolver = (name: string, signal: AbortSignal) => Promise<readonly Address[]>;

/** The second try waits twice as long: a name server that says nothing is given up after 6 or 7 s. What is just slow it knows by the next delivery. */
const PATIENCE = { timeout: 2 * SECOND, tries: 2 } as const;

const LOCALHOST: readonly Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks the name servers without the system's look-up: that one runs two names at a time in a process, can't be ended,
 * and whoever keeps it waiting keeps all others waiting, calls to PSPs included. Nobody reads the hosts file or search domains.
 */
export function makeNameResolver(servers?: readonly string[]): NameResolver {
  return async (name, signal) => {
    if (isIP(name)) return [{ address: name, family: isIP(name) }];
    if (name === 'localhost') return LOCALHOST;
    signal.throwIfAborted();
    // One for each look-up: its end ends no other, it knows no older answers and no older waits, and it reads the servers' list anew.
    const resolver = new Resolver(PATIENCE);
    if (servers) resolver.setServers(servers);
    const stop = () => resolver.cancel();
    signal.addEventListener('abort', stop);
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    signal.removeEventListener('abort', stop);
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)];
    if (found.length === 0) throw new UnknownHost();
    return found;
  };
}

/** A family that a name has not, or that its server fails on, leaves those of the other: nothing is connected to but what was found. */
const addressesOf = (answer: PromiseSettledResult<readonly string[]>, family: number): readonly Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/** One word for no such name, no answer, a failure or no server at all; the name server's `ECONNREFUSED` would pass for the receiver's. */
class UnknownHost extends Error {
  readonly code = 'ENOTFOUND';
}
