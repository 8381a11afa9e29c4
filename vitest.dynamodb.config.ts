import { defineConfig } from 'vitest/config';
import base from './vitest.config.ts';

/**
 * The contract of the table holds on both engines, as `npm test` shows. Once more on DynamoDB run the tests of what a
 * store has a say in: of each group those that would be the first to show a difference.
 */
const CHOSEN = {
  'several who write at once': [
    ...['races', 'members', 'velocity', 'workflows-races'].map((name) => `faults/${name}`),
    ...['routing-rules', 'members-leaving'].map((name) => `http/${name}`),
  ],
  'what dies or fails between two writes': [
    ...['crash-sweep', 'crash-actions', 'crash-deleting', 'sign-in', 'platform', 'payment-links', 'retry-budget'].map(
      (name) => `faults/${name}`,
    ),
    ...['renewals-worker', 'renewals-relay', 'workflows-owed', 'record-room'].map((name) => `faults/${name}`),
  ],
  'the stream, and time': [
    ...['restart', 'relay-stopped', 'schedule', 'sweep-backlog'].map((name) => `faults/${name}`),
    ...['local-host-start', 'local-bootstrap'].map((name) => `http/${name}`),
  ],
  'pages, and what they cost': [
    ...[
      'list-costs',
      'platform-list-costs',
      'payments-list',
      'payments-list-oracle',
      'payment-stats',
      'payment-stats-recount',
    ].map((name) => `http/${name}`),
    ...['subscriptions/subscriptions-list', 'invoices/invoices', 'workflows/executions', 'webhook-events'].map(
      (name) => `http/${name}`,
    ),
  ],
  'each kind of record, from its making to its end': [
    ...[
      'end-to-end',
      'event-types',
      'store-waits',
      'same-work',
      'payments-create',
      'payments-refund',
      'payments-retry',
    ].map((name) => `http/${name}`),
    ...['subscriptions/renewals', 'subscriptions/renewals-catch-up', 'workflows/runs'].map((name) => `http/${name}`),
  ],
};

/** They write into the files that SQLite keeps. */
const SQLITE_ONLY = ['test/faults/moved-ciphertext.test.ts'];

const isWhole = process.env.ALL !== undefined;
const chosen = Object.values(CHOSEN).flatMap((names) => names.map((name) => `test/${name}.test.ts`));
console.log(
  isWhole
    ? `Not run on DynamoDB, as they change SQLite's own files: ${SQLITE_ONLY.join(', ')}`
    : `On DynamoDB: tests of ${Object.keys(CHOSEN).join('; ')}. ALL=1 runs the others too (40 minutes).`,
);

/** Tests over HTTP and of faults once more, with each host's table on DynamoDB Local. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    name: 'dynamodb',
    include: isWhole ? ['test/http/**/*.test.ts', 'test/faults/**/*.test.ts'] : chosen,
    exclude: SQLITE_ONLY,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/dynamodb-emulator.setup.ts'],
    setupFiles: ['test/support/dynamodb-hosts.setup.ts'],
  },
});
