import type { TestProject } from 'vitest/node';
import { startDynamoDbLocal } from '#lib/local/dynamodb-local.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the emulator that all hosts of the run share, each with a database of its own. */
    emulator: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { endpoint, stop } = await startDynamoDbLocal({ apart: true });
  project.provide('emulator', endpoint);
  return stop;
}
