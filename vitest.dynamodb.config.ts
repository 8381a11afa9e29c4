import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** They read and write the files that SQLite keeps. */
const SQLITE_ONLY = ['test/faults/canary.test.ts', 'test/faults/moved-ciphertext.test.ts'];

/** The tests over HTTP and the faults once more, with each host's table on DynamoDB Local. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    name: 'dynamodb',
    include: ['test/http/**/*.test.ts', 'test/faults/**/*.test.ts'],
    exclude: SQLITE_ONLY,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/dynamodb-emulator.setup.ts'],
    setupFiles: ['test/support/dynamodb-hosts.setup.ts'],
  },
});
