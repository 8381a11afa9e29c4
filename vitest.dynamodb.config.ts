import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/** They write into the files that SQLite keeps. */
const SQLITE_ONLY = ['test/faults/moved-ciphertext.test.ts'];
console.log(`Not run on DynamoDB, as they change SQLite's own files: ${SQLITE_ONLY.join(', ')}`);

/** They compare all that is stored after each of a thousand requests, which are refused before a store has a say. */
const BEFORE_ANY_STORE = ['test/http/isolation.test.ts', 'test/http/isolation-raw.test.ts'];
console.log(`Not run on DynamoDB, as they are about what no store decides: ${BEFORE_ANY_STORE.join(', ')}`);

/** They are about what providers say, over all of them, and the same writes as in tests that do run. */
const OF_PROVIDERS = ['callback-order', 'exchanged-credentials', 'quoting-provider', 'rolled-keys'].map((name) => `test/faults/${name}.test.ts`);
console.log(`Not run on DynamoDB, as they are about what providers say: ${OF_PROVIDERS.join(', ')}`);

/** They are about what becomes of a payment and its invoice, by the same three records' writes as in the tests of renewals that do run. */
const OF_BILLING = [
  ...['between', 'beside', 'crashes', 'late-money', 'manual-cancel', 'manual-retry', 'second-looks', 'unknown'].map(
    (name) => `test/http/invoices/dunning-${name}.test.ts`,
  ),
  ...['held', 'off-session', 'providers', 'secrets'].map((name) => `test/http/subscriptions/renewals-${name}.test.ts`),
  ...['races', 'requests', 'trouble'].map((name) => `test/faults/renewals-${name}.test.ts`),
];
console.log(`Not run on DynamoDB, as they are about what payments decide: ${OF_BILLING.join(', ')}`);

/** They are about what receivers answer and what dies on the way to them, by the same writes as in the tests of webhooks and workflows that do run. */
const OF_RECEIVERS = [
  ...['replay', 'safety', 'fairness'].map((name) => `test/http/webhook-${name}.test.ts`),
  ...['notify', 'requests'].map((name) => `test/http/workflows/${name}.test.ts`),
  ...['delivery-crashes', 'workflows-crashes'].map((name) => `test/faults/${name}.test.ts`),
];
console.log(`Not run on DynamoDB, as they are about what receivers do: ${OF_RECEIVERS.join(', ')}`);

/** The tests over HTTP and the faults once more, with each host's table on DynamoDB Local. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    name: 'dynamodb',
    include: ['test/http/**/*.test.ts', 'test/faults/**/*.test.ts'],
    exclude: [...SQLITE_ONLY, ...BEFORE_ANY_STORE, ...OF_PROVIDERS, ...OF_BILLING, ...OF_RECEIVERS],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/dynamodb-emulator.setup.ts'],
    setupFiles: ['test/support/dynamodb-hosts.setup.ts'],
  },
});
