import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder, and its removal. */
export async function temporaryFolder(): Promise<{
  readonly path: (file: string) => string;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'payfork-'));
  return {
    path: (file) => join(folder, file),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
