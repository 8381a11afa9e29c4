import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseEvents, chooseExamples } from '#test/support/examples/choose-examples.ts';
import { EXAMPLE_TESTS } from '#test/support/examples/example-tests.ts';
import type { RecordedEvent, RecordedExample } from '#test/support/examples/record-example.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FILE = join(ROOT, 'functions/openapi/examples.json');
const EVENTS_FILE = join(ROOT, 'lib/reference/event-examples.json');

/** `npm run openapi:examples` runs the tests that examples come from; `-- FILE` takes what such a run has recorded. */
const [given] = process.argv.slice(2);
const recorded = given === undefined ? recordNow() : readFileSync(given, 'utf8');
const lines = recorded.split('\n').filter((line) => line !== '');
const all = lines.map((line): RecordedExample | RecordedEvent => JSON.parse(line));
const examples = chooseExamples(all.filter((each) => 'operation' in each));
const events = chooseEvents(all.filter((each) => 'type' in each));
writeFileSync(FILE, `${JSON.stringify(examples, null, 2)}\n`);
writeFileSync(EVENTS_FILE, `${JSON.stringify(events, null, 2)}\n`);
const { operations, errors } = examples;
process.stdout.write(
  `${lines.length} recorded, ${Object.keys(operations).length} operations, ${Object.keys(errors).length} errors and ` +
    `${Object.keys(events).length} events.\n` +
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
