import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundlingOf } from '#lib/aws/bundling.ts';
import { queueVariable } from '#shared/aws-env.ts';
import { QUEUES } from '#shared/ports/queue.port.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { apiEvent } from '#test/support/aws-events.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1';
const KEYS = ['PSP', 'SECRETS', 'HASH', 'TOKEN'];

/** The environment of a function whose services are at one address on this machine. */
const environmentAt = (address: string) => ({
  STAGE: 'sandbox',
  API_URL: 'https://api.example.com',
  OTHER_STAGE_URL: 'https://live.example.com',
  TABLE_NAME: 'service',
  BUS_NAME: 'events',
  ...Object.fromEntries(KEYS.map((name) => [`${name}_KEY_ARN`, KEY])),
  ...Object.fromEntries(QUEUES.map((queue) => [queueVariable(queue), 'https://sqs.example.com/1/q'])),
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  AWS_ENDPOINT_URL: address,
});

/** What DynamoDB and KMS respond with where nothing is stored. */
const RESPONSES: Readonly<Record<string, object>> = {
  'TrentService.GenerateMac': { Mac: Buffer.alloc(32, 7).toString('base64'), KeyId: KEY, MacAlgorithm: 'HMAC_SHA_256' },
};

/** As Lambda does: imports the bundle, and passes it one event after the other. */
const INVOKE = `
  const { handler } = await import(process.argv[1]);
  const results = [];
  for (const event of JSON.parse(process.argv[2])) results.push(await handler(event, { awsRequestId: 'request-1' }));
  process.stdout.write('\\n' + JSON.stringify(results));
  process.exit();`;

describe('a bundled function', () => {
  const calls: string[] = [];
  let services: Server;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  beforeAll(async () => {
    folder = await temporaryFolder();
    services = createServer((request, response) => {
      const target = String(request.headers['x-amz-target']);
      calls.push(target);
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/x-amz-json-1.0');
        response.end(JSON.stringify(RESPONSES[target] ?? {}));
      });
    });
    await new Promise<void>((done) => services.listen(0, '127.0.0.1', done));
    await build(bundlingOf('psp-webhooks', folder.path('function')));
  }, 60_000);
  afterAll(async () => {
    services?.close();
    await folder?.remove();
  });

  it('calls KMS and the table, and loads the adapter of each PSP when it is needed', async () => {
    const { port } = services.address() as AddressInfo;
    const callbacks = PROVIDERS.map((provider) =>
      apiEvent('POST /webhooks/{provider}', { params: { provider }, body: 'no callback' }),
    );
    const events = JSON.stringify([apiEvent('GET /nowhere'), ...callbacks]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', INVOKE, folder.path('function/index.mjs'), events],
      { env: environmentAt(`http://127.0.0.1:${port}`), cwd: folder.path('') },
    );
    const results: readonly { statusCode: number; body: string }[] = JSON.parse(stdout.split('\n').at(-1) ?? '');
    expect(results.map(({ statusCode }) => statusCode)).toEqual([404, ...PROVIDERS.map(() => 400)]);
    expect(results.slice(1).map(({ body }) => JSON.parse(body).message)).toEqual(
      PROVIDERS.map((provider) => `The body is not a callback of ${provider}.`),
    );
    expect(calls.filter((call) => call.startsWith('TrentService.'))).toEqual(Array(2).fill('TrentService.GenerateMac'));
    expect(calls.filter((call) => call.startsWith('DynamoDB_20120810.')).length).toBeGreaterThan(0);
  });
});
