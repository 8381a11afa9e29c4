import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { CLIENT_USE_FILE, type ClientUse } from '#test/support/client-use.ts';

/**
 * The last lines of a CI run: the slowest files, the number of tests per store, what was skipped, and what passed only
 * on a retry.
 */
type Test = {
  readonly status: 'passed' | 'failed' | 'pending' | 'skipped' | 'todo';
  readonly fullName: string;
  /** Also of the first run of a test that passed on a retry. */
  readonly failureMessages: readonly string[];
  readonly meta: { readonly store?: 'dynamodb' };
};
type TestFile = {
  readonly name: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly Test[];
};
type Results = { readonly testResults: readonly TestFile[] };

const RESULTS = 'coverage/results.json';
const SLOWEST_SHOWN = 20;
/** A busy machine may disturb a test or two of thirty thousand. More are a fault of ours. */
const MAX_PASSED_ON_RETRY = 3;
/** The contract suites of the store run on DynamoDB even in the run on SQLite; their names say so. */
const NAMES_DYNAMODB = /DynamoDB/;

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(7)} s`;
const isOnDynamoDb = ({ meta }: Test): boolean => meta.store === 'dynamodb';
const passed = (tests: readonly Test[]): number => tests.filter(({ status }) => status === 'passed').length;
const timeOf = ({ startTime, endTime }: TestFile): number => endTime - startTime;

const { testResults: files } = JSON.parse(readFileSync(RESULTS, 'utf8')) as Results;

function printSlowestFiles(): void {
  const slowest = files.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, SLOWEST_SHOWN);
  console.log(`The ${slowest.length} slowest of ${files.length} test files:`);
  for (const file of slowest) {
    const store = file.assertionResults.some(isOnDynamoDb) ? ' (on DynamoDB)' : '';
    console.log(`${seconds(timeOf(file))}  ${relative(process.cwd(), file.name)}${store}`);
  }
  console.log(`${seconds(files.reduce((sum, file) => sum + timeOf(file), 0))}  all files together`);
}

function printTotals(): void {
  const tests = files.flatMap(({ assertionResults }) => assertionResults);
  const once = tests.filter((test) => !isOnDynamoDb(test));
  const again = tests.filter(isOnDynamoDb);
  const contracts = once.filter(({ fullName }) => NAMES_DYNAMODB.test(fullName));
  const failed = tests.filter(({ status }) => status === 'failed');
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed');

  console.log(`on SQLite, or on no store: ${passed(once) - passed(contracts)} passed`);
  console.log(
    `on DynamoDB Local: ${passed(contracts)} of the contracts passed, and ${passed(again)} of the tests that ran on both`,
  );
  console.log(`${passed(tests)} passed, ${failed.length} failed, ${skipped.length} skipped`);
  if (skipped.length === 0) return;
  console.error(`In CI it is a failure to skip:\n${skipped.map(({ fullName }) => `  ${fullName}`).join('\n')}`);
  process.exitCode = 1;
}

function printPassedOnRetry(): void {
  const again = files
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0);
  if (again.length === 0) return;
  console.error(`Passed only on a retry (at most ${MAX_PASSED_ON_RETRY} may; look into each):`);
  for (const { fullName, failureMessages } of again)
    console.error(`  ${fullName}\n    ${failureMessages[0]?.split('\n').slice(0, 6).join('\n    ')}`);
  if (again.length > MAX_PASSED_ON_RETRY) process.exitCode = 1;
}

/** How much of what the tests send goes through the typed client. Each of its methods must be among that. */
function printClientUse(): void {
  const lines = existsSync(CLIENT_USE_FILE) ? readFileSync(CLIENT_USE_FILE, 'utf8').trim().split('\n') : [];
  const uses = lines.map((line): ClientUse => JSON.parse(line));
  const sum = (of: (use: ClientUse) => number): number => uses.reduce((total, use) => total + of(use), 0);
  const [sent, all] = [sum(({ client }) => client), sum(({ client, raw }) => client + raw)];
  const reached = new Set(uses.flatMap(({ operations }) => operations));
  const methods = [...new Set(uses.flatMap((use) => use.methods))];
  const missed = methods.filter((method) => !reached.has(method));
  console.log(
    `${sent} of ${all} requests went through the typed client, by ${reached.size} of its ${methods.length} methods`,
  );
  if (sent > 0 && missed.length === 0) return;
  console.error(`No test sends by these methods of the typed client:\n${missed.map((name) => `  ${name}`).join('\n')}`);
  process.exitCode = 1;
}

printSlowestFiles();
printClientUse();
printPassedOnRetry();
printTotals();
