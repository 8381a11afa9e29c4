import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundlingOf } from '#lib/aws/bundling.ts';
import { packReference } from '#lib/reference/pack-reference.ts';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { apiEvent } from '#test/support/aws-events.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1';

/** What every function is given. There are no credentials: this function calls nothing of AWS. */
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
  const answers = [];
  for (const event of JSON.parse(process.argv[2])) answers.push(await handler(event, { awsRequestId: 'request-1' }));
  process.stdout.write('\\n' + JSON.stringify(answers), () => process.exit());`;

type Result = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded?: boolean;
};
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await build(bundlingOf('reference', folder.path('function')));
  packReference(folder.path('function'));
}, 60_000);
afterAll(() => folder?.remove());

async function invoke(events: readonly object[]): Promise<readonly Result[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', INVOKE, folder.path('function/index.mjs'), JSON.stringify(events)],
    { env: ENVIRONMENT, cwd: folder.path(''), maxBuffer: 50_000_000 },
  );
  return JSON.parse(stdout.split('\n').at(-1) ?? '');
}

const textOf = ({ body, headers, isBase64Encoded }: Result): string => {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  return (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

it('on AWS the function serves every kind of file from its own package, with the address and the stage of its host', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const page = (path: string) => apiEvent('GET /docs/{path+}', { params: { path }, headers });
  const [start, errors, markdown, list, missing] = await invoke([
    apiEvent('GET /docs', { headers }),
    page('errors'),
    page('errors.md'),
    apiEvent('GET /llms.txt', { headers }),
    page('none'),
  ]);
  for (const each of [start, errors, markdown, list])
    expect([each?.statusCode, each?.headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(missing?.statusCode).toBe(404);
  const html = textOf(start!);
  expect(html).toContain('curl</span> <span class="c-string">&quot;https://api.example.com/v1/payments');
  expect(html).toContain('<meta name="payfork-stage" content="live">');
  expect(html).toContain('<meta name="payfork-control" content="">');
  expect(start?.headers['content-security-policy']).toContain("connect-src 'self';");
  expect(textOf(errors!)).toContain('id="idempotency_in_progress"');
  expect(textOf(list!)).toContain('](https://api.example.com/docs/errors.md)');
  expect(textOf(markdown!)).toMatch(/^# Errors\n/);
});

it('the names in the page are those of files in the package', async () => {
  const [start] = await invoke([apiEvent('GET /docs')]);
  const names = [...textOf(start!).matchAll(/"\/docs\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(names).toHaveLength(3);
  const files = await invoke(names.map((path) => apiEvent('GET /docs/{path+}', { params: { path } })));
  for (const { statusCode, headers } of files)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
});
