import { readFileSync } from 'node:fs';

/** The last line of a CI run: how many tests there were, in one glance. */
type Results = { readonly numPassedTests: number; readonly numFailedTests: number; readonly numPendingTests: number };

const results = JSON.parse(readFileSync('coverage/results.json', 'utf8')) as Results;
console.log(`${results.numPassedTests} passed, ${results.numFailedTests} failed, ${results.numPendingTests} skipped`);
if (results.numPendingTests > 0) {
  console.error('Tests were skipped; in CI that is a failure.');
  process.exitCode = 1;
}
