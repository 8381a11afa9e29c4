import { readFileSync } from 'node:fs';

/** The last lines of a CI run: how many tests there were on each store, and what was not run. */
type Test = { readonly status: 'passed' | 'failed' | 'pending' | 'skipped' | 'todo'; readonly fullName: string };
type Results = {
  readonly testResults: readonly { readonly name: string; readonly assertionResults: readonly Test[] }[];
};

const RUNS = ['coverage/results.json', 'coverage/results-dynamodb.json'] as const;
/** What needs DynamoDB in a run on SQLite says so by its name. */
const ON_DYNAMODB = /DynamoDB/;

const testsOf = (file: string): readonly Test[] => {
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  return testResults.flatMap(({ assertionResults }) => assertionResults);
};
const [sqlite, dynamodb] = [testsOf(RUNS[0]), testsOf(RUNS[1])];
const passed = (tests: readonly Test[]): number => tests.filter(({ status }) => status === 'passed').length;

const contracts = sqlite.filter(({ fullName }) => ON_DYNAMODB.test(fullName));
const all = [...sqlite, ...dynamodb];
const failed = all.filter(({ status }) => status === 'failed');
const skipped = all.filter(({ status }) => status !== 'passed' && status !== 'failed');

console.log(`on SQLite, or on no store: ${passed(sqlite) - passed(contracts)} passed`);
console.log(
  `on DynamoDB Local: ${passed(contracts) + passed(dynamodb)} passed, ${passed(dynamodb)} of them the tests over HTTP and the faults once more`,
);
console.log(`${passed(all)} passed, ${failed.length} failed, ${skipped.length} skipped`);
if (skipped.length > 0) {
  console.error(`In CI it is a failure to skip:\n${skipped.map(({ fullName }) => `  ${fullName}`).join('\n')}`);
  process.exitCode = 1;
}
