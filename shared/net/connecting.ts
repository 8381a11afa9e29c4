import { SECOND } from '#shared/kernel/clock.ts';

/**
 * How every call out connects, to providers and to receivers. An address may take so long while its name has others:
 * Node's own 250 ms give up a server at the other end of the world, and what is tried instead may have no way there.
 */
export const CONNECTING = { autoSelectFamilyAttemptTimeout: 2 * SECOND } as const;
