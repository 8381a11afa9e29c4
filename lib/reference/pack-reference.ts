import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildReference, type ReferenceBuild } from '#lib/reference/build-reference.ts';
import { REFERENCE_FOLDER } from '#shared/container/reference.container.ts';

/** Both stages have the same pages: what differs is written in as they are served. */
let built: ReferenceBuild | undefined;

/** Makes the documentation in the folder of its function's code. */
export function packReference(functionFolder: string): void {
  built ??= buildReference();
  for (const [name, content] of built) {
    const file = join(functionFolder, REFERENCE_FOLDER, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
