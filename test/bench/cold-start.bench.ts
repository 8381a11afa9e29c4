import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledFunctions, bundlingOf, bytesByPackage, loadedAtStart } from '#lib/aws/bundling.ts';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';

/**
 * The size of each function, and the time of its first import, each in a process of its own: Lambda's Init without
 * the sandbox. Prints figures without a verdict: machines differ, and on a busy machine CPU time tells more.
 * `--beside <folder>`: another checkout, with its packages, is measured in turn with this one. Names limit it to these
 * functions.
 */
const STARTS = 15;

/** Enough environment to create a function; nothing is called. */
const ENVIRONMENT = {
  STAGE: 'sandbox',
  API_URL: 'https://api.example.com',
  OTHER_STAGE_URL: 'https://live.example.com',
  TABLE_NAME: 'service',
  BUS_NAME: 'events',
  PSP_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/1',
  SECRETS_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/2',
  HASH_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/6',
  TOKEN_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/7',
  ...Object.fromEntries(
    QUEUES.map((queue) => [queueVariable(queue), `https://sqs.eu-west-1.amazonaws.com/1/${queue}`]),
  ),
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
};

type Start = { readonly wall: number; readonly cpu: number };

const IMPORT = `
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  await import(process.argv[1]);
  const { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify({ wall: performance.now() - wall, cpu: (user + system) / 1000 }));
  process.exit();`;

const coldImport = (file: string): Start =>
  JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', IMPORT, file], {
      env: { ...ENVIRONMENT },
      encoding: 'utf8',
    }),
  );

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const column = (value: number): string => value.toFixed(0).padStart(8);
const kilobytes = (bytes: number): string => column(bytes / 1_000);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** A version of the project to bundle: this one, or another checkout with its packages. */
type Version = { readonly name: string; readonly bundlingOf: typeof bundlingOf };

async function bundled({ name: version, bundlingOf }: Version, name: string, folder: string) {
  const target = join(folder, version, name);
  const { metafile } = await build({ ...bundlingOf(name, target), metafile: true });
  const files = loadedAtStart(metafile);
  const bytes = files.map((file) => metafile.outputs[file]?.bytes ?? 0);
  return {
    version,
    name,
    file: join(target, 'index.mjs'),
    atStart: sum(bytes),
    deployed: sum(Object.values(metafile.outputs).map((output) => output.bytes)),
    zipped: sum(readdirSync(target).map((file) => gzipSync(readFileSync(join(target, file))).length)),
    parts: bytesByPackage(metafile, files),
    starts: [] as Start[],
  };
}

const { values: options, positionals } = parseArgs({
  options: { beside: { type: 'string' }, starts: { type: 'string', default: String(STARTS) } },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), 'payfork-cold-'));
try {
  const versions: Version[] = [{ name: 'now', bundlingOf }];
  if (options.beside !== undefined)
    versions.push({ name: 'beside', ...(await import(resolve(options.beside, 'lib/aws/bundling.ts'))) });
  const names = bundledFunctions().filter((name) => positionals.length === 0 || positionals.includes(name));
  const bundles = (
    await Promise.all(names.flatMap((name) => versions.map((version) => bundled(version, name, folder))))
  ).sort((a, b) => (a.name < b.name ? -1 : 1));
  // In turn, so that a machine that slows down slows all of them.
  for (let n = 0; n < Number(options.starts); n += 1)
    for (const each of bundles) each.starts.push(coldImport(each.file));

  console.log(
    'function               at start  in all    gzip  wall ms  CPU ms   (kB; medians of',
    options.starts,
    'cold imports)',
  );
  for (const { version, name, atStart, deployed, zipped, starts } of bundles) {
    const times = [starts.map(({ wall }) => wall), starts.map(({ cpu }) => cpu)].map(median).map(column);
    const title = version === 'now' ? name : `  ${version}`;
    console.log(title.padEnd(20), kilobytes(atStart), kilobytes(deployed), kilobytes(zipped), ...times);
  }
  console.log('\nkB by package, loaded at start:');
  for (const { name, parts } of bundles.filter(({ version }) => version === 'now'))
    console.log(
      `${name.padEnd(20)} ${parts
        .slice(0, 8)
        .map(([part, bytes]) => `${part} ${(bytes / 1_000).toFixed(0)}`)
        .join(', ')}`,
    );
} finally {
  rmSync(folder, { recursive: true });
}
