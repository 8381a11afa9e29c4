import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '#shared/store/dynamo-client.ts';

const EMULATOR = fileURLToPath(new URL('../../node_modules/amplify-dynamodb-simulator/emulator', import.meta.url));
/** Starts in a second rather than three, and shares two cores well. */
const JVM = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
const START_MS = 40_000;
/** A machine that is busy with other tests is not a fault. */
const PATIENT = { connectionTimeout: 20_000, requestTimeout: 20_000 };

export type DynamoDbLocal = { readonly endpoint: string; readonly client: DynamoDBClient; readonly stop: () => Promise<void> };

export function hasJava(): boolean {
  try {
    execFileSync('java', ['-version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** In memory, on a free port, one for each test file that asks. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  const port = await freePort();
  const java = spawn('java', [...JVM, '-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)], { cwd: EMULATOR, stdio: 'ignore' });
  const endOfTests = () => java.kill('SIGKILL');
  process.once('exit', endOfTests);
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint, java);
  const client = dynamoClient({ endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' }, requestHandler: PATIENT });
  return {
    endpoint,
    client,
    stop: async () => {
      client.destroy();
      process.off('exit', endOfTests);
      const ended = once(java, 'exit');
      java.kill('SIGKILL');
      await ended;
    },
  };
}

async function answers(endpoint: string, java: ChildProcess): Promise<void> {
  const until = performance.now() + START_MS;
  while (performance.now() < until && java.exitCode === null) {
    // It answers 400 to anything unsigned, which is answer enough.
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(100);
  }
  java.kill('SIGKILL');
  throw new Error('DynamoDB Local did not start.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('No free port.');
  return address.port;
}
