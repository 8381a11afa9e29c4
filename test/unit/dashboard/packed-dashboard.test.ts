import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundlingOf } from '#lib/aws/bundling.ts';
import { packDashboard } from '#lib/dashboard/pack-dashboard.ts';
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

/** As Lambda does: imports the bundle, passes it the first event, and then one for each file that the page names. */
const INVOKE = `
  const { handler } = await import(process.argv[1]);
  const [first, file] = JSON.parse(process.argv[2]);
  const invoke = (event) => handler(event, { awsRequestId: 'request-1' });
  const page = await invoke(first);
  const html = Buffer.from(page.body, 'base64').toString();
  const names = [...html.matchAll(/(?:src|href)="[/]dashboard[/]([^"]+)"/g)].map(([, name]) => name);
  const files = [];
  for (const path of names) files.push(await invoke({ ...file, pathParameters: { path } }));
  process.stdout.write('\\n' + JSON.stringify({ page, html, files }));
  process.exit();`;

type Result = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await build(bundlingOf('dashboard', folder.path('function')));
  packDashboard(folder.path('function'));
}, 60_000);
afterAll(() => folder?.remove());

it('on AWS the function serves the page and all that it names from its own package', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  const events = JSON.stringify([apiEvent('GET /dashboard'), apiEvent('GET /dashboard/{path+}', { headers })]);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', INVOKE, folder.path('function/index.mjs'), events],
    { env: ENVIRONMENT, cwd: folder.path(''), maxBuffer: 50_000_000 },
  );
  const { page, html, files }: { page: Result; html: string; files: Result[] } = JSON.parse(
    stdout.split('\n').at(-1) ?? '',
  );
  expect([page.statusCode, page.headers['content-security-policy']]).toEqual([
    200,
    expect.stringContaining("connect-src 'self';"),
  ]);
  expect(html).not.toContain('payfork-control');
  expect(files.length).toBeGreaterThan(1);
  for (const { statusCode, headers: got, body } of files) {
    expect([statusCode, got['content-encoding'], got['cache-control']]).toEqual([
      200,
      'gzip',
      'public, max-age=31536000, immutable',
    ]);
    expect(gunzipSync(Buffer.from(body, 'base64')).length).toBeGreaterThan(100);
  }
});
