import { beforeEach } from 'vitest';
import { setHostStore } from '#test/support/host-store.ts';
import { sharedEmulator } from '#test/support/shared-dynamodb.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The store of the hosts in the tests, if it is not SQLite. */
    store?: 'dynamodb';
  }
}

setHostStore({ store: 'dynamodb', emulator: await sharedEmulator() });
beforeEach(({ task }) => {
  task.meta.store = 'dynamodb';
});
