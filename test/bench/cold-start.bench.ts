import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { bundledFunctions, bundlingOf } from '#lib/aws/bundling.ts';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';

/**
 * The size of each function, and the time of its first import, each in a process of its own: Lambda's Init without
 * the sandbox. Prints figures without a verdict: machines differ, and on a busy machine CPU time tells more.
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
  INTEGRATION_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/2',
  SIGNING_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/3',
  ANSWER_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/4',
  TOTP_KEY_ARN: 'arn:aws:kms:eu-west-1:123456789012:key/5',
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
const milliseconds = (values: readonly number[]): string => median(values).toFixed(0).padStart(8);
const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(0).padStart(6);

/** Bytes by package, largest first; this project counts as one. */
function parts({ outputs }: Metafile): readonly (readonly [string, number])[] {
  const bytes = new Map<string, number>();
  for (const [file, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'payfork';
    bytes.set(name, (bytes.get(name) ?? 0) + bytesInOutput);
  }
  return [...bytes].sort((a, b) => b[1] - a[1]);
}

const folder = mkdtempSync(join(tmpdir(), 'payfork-cold-'));
try {
  const functions = await Promise.all(
    bundledFunctions().map(async (name) => {
      const { metafile } = await build({ ...bundlingOf(name, join(folder, name)), metafile: true });
      const file = join(folder, name, 'index.mjs');
      const code = readFileSync(file);
      return {
        name,
        file,
        bytes: code.length,
        zipped: gzipSync(code).length,
        parts: parts(metafile),
        starts: [] as Start[],
      };
    }),
  );
  // In turn, so that a machine that slows down slows all of them.
  for (let n = 0; n < STARTS; n += 1) for (const each of functions) each.starts.push(coldImport(each.file));

  console.log(`function                 kB   gzip  wall ms  CPU ms   (medians of ${STARTS} cold imports)`);
  for (const { name, bytes, zipped, starts } of functions) {
    const [wall, cpu] = [starts.map((start) => start.wall), starts.map((start) => start.cpu)].map(milliseconds);
    console.log(`${name.padEnd(20)} ${kilobytes(bytes)} ${kilobytes(zipped)} ${wall} ${cpu}`);
  }
  const [largest] = functions.toSorted((a, b) => b.bytes - a.bytes);
  console.log(`\nthe largest, ${largest?.name}, kB by package:`);
  for (const [name, bytes] of largest?.parts.slice(0, 12) ?? []) console.log(`${kilobytes(bytes)} ${name}`);
} finally {
  rmSync(folder, { recursive: true });
}
