import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseExamples } from '#test/support/examples/choose-examples.ts';
import { EXAMPLE_TESTS } from '#test/support/examples/example-tests.ts';
import type { RecordedExample } from '#test/support/examples/record-example.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FILE = join(ROOT, 'functions/openapi/examples.json');

/** `npm run openapi:examples` runs the tests that examples come from; `-- FILE` takes what such a run has recorded. */
const [given] = process.argv.slice(2);
const recorded = given === undefined ? recordNow() : readFileSync(given, 'utf8');
const lines = recorded.split('\n').filter((line) => line !== '');
const examples = chooseExamples(lines.map((line) => JSON.parse(line) as RecordedExample));
writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
const { operations, errors } = examples;
process.stdout.write(
  `${lines.length} recorded, ${Object.keys(operations).length} operations and ${Object.keys(errors).length} errors.\n` +
    'Run npm run openapi to put them into the document.\n',
);

function recordNow(): string {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'));
  const file = join(folder, 'recorded.jsonl');
  try {
    // biome-ignore lint/style/noProcessEnv: the tests run as this does.
    const env = { ...process.env, RECORD_EXAMPLES: file };
    const { status } = spawnSync('npx', ['vitest', 'run', ...EXAMPLE_TESTS], { cwd: ROOT, env, stdio: 'inherit' });
    if (status !== 0) throw new Error('Examples are made from tests that pass: mend these first.');
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
