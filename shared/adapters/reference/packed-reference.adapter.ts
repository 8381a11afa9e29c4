import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  type ReferenceContent,
  type Replacements,
  referenceFiles,
} from '#shared/adapters/reference/reference-files.adapter.ts';
import type { ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';

/** The documentation that was built into a folder beside the function's code. */
export const packedReference = (folder: string, replacements: Replacements): ReferenceFilesPort =>
  referenceFiles(() => readFolder(folder), replacements);

async function readFolder(folder: string): Promise<ReferenceContent> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const read = files.map(async (file) => [relative(folder, file).replaceAll(sep, '/'), await readFile(file)] as const);
  return new Map(await Promise.all(read));
}
