import type { LocalHostOptions } from '#lib/local/local-host.ts';

type HostStore = Pick<LocalHostOptions, 'store' | 'emulator'>;

let chosen: HostStore = { store: 'sqlite' };

/** The store of the hosts of this test run. */
export const hostStore = (): HostStore => chosen;

/** For the setup of a run. */
export function setHostStore(store: HostStore): void {
  chosen = store;
}
