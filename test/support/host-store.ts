import type { LocalHostOptions } from '#lib/local/local-host.ts';

type HostStore = Pick<LocalHostOptions, 'store' | 'emulator'>;

let chosen: HostStore = { store: 'sqlite' };

/** Where the hosts of this test run keep their table. */
export const hostStore = (): HostStore => chosen;

/** For the set-up of a run. */
export function setHostStore(store: HostStore): void {
  chosen = store;
}
