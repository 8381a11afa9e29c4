import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '#lib/local/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A request to this address starts the run's DynamoDB Local if none is running, and returns its address. */
    emulatorStarter: string;
  }
}

/**
 * One emulator for all test files of a run, with a database for each. The first file that needs it starts it: most
 * runs of a few files need none.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let emulator: ReturnType<typeof startDynamoDbLocal> | undefined;
  const starter = createServer((_, response) => {
    emulator ??= startDynamoDbLocal({ apart: true });
    emulator.then(
      ({ endpoint }) => response.end(endpoint),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(starter, 'listening');
  project.provide('emulatorStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}`);
  return async () => {
    starter.close();
    await (await emulator)?.stop();
  };
}
