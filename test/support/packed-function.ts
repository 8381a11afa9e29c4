import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundlingOf } from '#lib/aws/bundling.ts';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1';

/** What every function is given. There are no credentials: such a function calls nothing of AWS. */
const ENVIRONMENT = {
  STAGE: 'live',
  API_URL: 'https://api.example.com',
  OTHER_STAGE_URL: 'https://sandbox.example.com',
  TABLE_NAME: 'service',
  BUS_NAME: 'events',
  PSP_KEY_ARN: KEY,
  SECRETS_KEY_ARN: KEY,
  ...Object.fromEntries(QUEUES.map((queue) => [queueVariable(queue), 'https://sqs.example.com/1/q'])),
};

/** As Lambda does: imports the bundle, and passes it one event after the other. */
const INVOKE = `
  const { handler } = await import(process.argv[1]);
  const results = [];
  for (const event of JSON.parse(process.argv[2])) results.push(await handler(event, { awsRequestId: 'request-1' }));
  process.stdout.write('\\n' + JSON.stringify(results), () => process.exit());`;

export type LambdaResult = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
};

export type PackedFunction = {
  readonly invoke: (events: readonly object[]) => Promise<readonly LambdaResult[]>;
  readonly remove: () => Promise<void>;
};

/** A function in a folder of its own, as it is deployed, with the files that `pack` puts beside its code. */
export async function packedFunction(name: string, pack: (folder: string) => void): Promise<PackedFunction> {
  const folder = await temporaryFolder();
  await build(bundlingOf(name, folder.path('function')));
  pack(folder.path('function'));
  return {
    invoke: async (events) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--input-type=module', '-e', INVOKE, folder.path('function/index.mjs'), JSON.stringify(events)],
        { env: ENVIRONMENT, cwd: folder.path(''), maxBuffer: 50_000_000 },
      );
      return JSON.parse(stdout.split('\n').at(-1) ?? '');
    },
    remove: () => folder.remove(),
  };
}

/** The text of a body, however it is sent. */
export function bodyText({ body, headers, isBase64Encoded }: LambdaResult): string {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}
