import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { SlowestFirst } from '#test/support/slowest-first.ts';

/**
 * The contracts of the table, of its change feed and of the repositories hold on both engines, as the tests on SQLite
 * show: they have suites on DynamoDB too. Once more on DynamoDB run the tests of what only a whole host shows there.
 */
const ON_DYNAMODB = {
  'several who write at once': ['faults/races', 'faults/members', 'faults/velocity'],
  'undo links, recoveries and passkeys': ['http/undo-audit'],
  'what dies or fails between two writes, and what is too large': [
    ...['crash-sweep', 'crash-deleting', 'sign-in', 'record-room'].map((name) => `faults/${name}`),
  ],
  'the stream, and a host that is killed': ['faults/relay-stopped', 'faults/restart'],
  'an organization that has grown': ['http/large-organization'],
  'pages, and what they cost': [
    ...['list-costs', 'platform-list-costs', 'payments-list-oracle', 'payment-stats', 'payment-stats-recount'].map(
      (name) => `http/${name}`,
    ),
    ...['subscriptions/subscriptions-list', 'workflows/executions'].map((name) => `http/${name}`),
  ],
  'a payment, a renewal and each type of event, from beginning to end': [
    ...['end-to-end', 'event-types', 'store-waits', 'subscriptions/renewals'].map((name) => `http/${name}`),
  ],
};
/** Its tests write into the files that SQLite keeps. */
const SQLITE_ONLY = ['test/faults/moved-ciphertext.test.ts'];

/** `sqlite`, `dynamodb`, or both. With `ALL=1`, DynamoDB gets every test over HTTP and of faults. */
const { TEST_STORES = 'sqlite', ALL, CI } = process.env;
const dynamoDbTests =
  ALL === undefined
    ? Object.values(ON_DYNAMODB).flatMap((names) => names.map((name) => `test/${name}.test.ts`))
    : ['test/http/**/*.test.ts', 'test/faults/**/*.test.ts'];

const common = {
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // In CI a test that fails is retried once. The last lines name it, and allow very few.
  retry: CI === 'true' ? 1 : 0,
  // A busy machine may take longer than the usual second for what a test waits for.
  expect: { poll: { timeout: 20_000, interval: 10 } },
  // Files of one worker share what they import, and that is compiled and warm for all but the first: a third less
  // work. Each file has hosts of its own, and what keeps something per process is imported anew (`startAwsAccount`).
  isolate: false,
  // Tests also wait for timers, sockets, disks and other processes. Twice as many workers as cores fill these pauses.
  maxWorkers: availableParallelism() * 2,
  // Room for what a request leaves behind: with the usual size of young memory, it is looked through twice as often.
  execArgv: ['--max-semi-space-size=64'],
  globalSetup: ['test/support/dynamodb-emulator.setup.ts', 'test/support/skipped.setup.ts'],
};

// The slower store comes first, so that small files are left to fill the end of the run.
const projects = {
  dynamodb: {
    ...common,
    include: dynamoDbTests,
    exclude: SQLITE_ONLY,
    testTimeout: 90_000,
    hookTimeout: 120_000,
    setupFiles: ['test/support/dynamodb-hosts.setup.ts'],
  },
  sqlite: { ...common, include: ['test/**/*.test.ts'] },
};

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    coverage: { provider: 'v8', include: ['shared/**', 'functions/**', 'lib/**'], reporter: ['text-summary'] },
    projects: Object.entries(projects)
      .filter(([name]) => TEST_STORES.split(',').includes(name))
      .map(([name, test]) => ({ test: { name, ...test } })),
  },
});
