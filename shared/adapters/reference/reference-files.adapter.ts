import { extname } from 'node:path';
import { keptOnce, staticFile } from '#shared/adapters/static/static-file.ts';
import type { ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';
import type { StaticFile } from '#shared/ports/static-file.port.ts';

/** The files of one build. */
export type ReferenceContent = ReadonlyMap<string, Buffer>;

/** What the pages do not know when they are built: texts that stand in them, and those of this host in their place. */
export type Replacements = Readonly<Record<string, string>>;

/** Other files are the same on every host, and named by hashes of what they hold. */
const PAGES: ReadonlySet<string> = new Set(['.html', '.md', '.txt']);

/**
 * Serves what `load` finds, which is loaded at the first request and kept. Each file is filled in and compressed once,
 * when it is first asked for.
 */
export function referenceFiles(
  load: () => Promise<ReferenceContent>,
  replacements: Replacements,
  connectsTo: readonly string[] = [],
): ReferenceFilesPort {
  const content = keptOnce(load);
  const made = new Map<string, Promise<StaticFile>>();
  return {
    connectsTo,
    file: async (name) => {
      const found = (await content()).get(name);
      if (found && !made.has(name)) made.set(name, staticFile(name, filledIn(name, found, replacements)));
      return made.get(name);
    },
  };
}

function filledIn(name: string, content: Buffer, replacements: Replacements): Buffer {
  if (!PAGES.has(extname(name))) return content;
  const text = Object.entries(replacements).reduce(
    (filled, [place, value]) => filled.replaceAll(place, () => value),
    content.toString(),
  );
  return Buffer.from(text);
}
