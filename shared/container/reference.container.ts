import { join } from 'node:path';
import { packedReference } from '#shared/adapters/reference/packed-reference.adapter.ts';
import { type Start, type StatelessDeps, statelessContainer } from '#shared/container/stateless.container.ts';
import { pageReplacements } from '#shared/domain/reference/page-places.catalog.ts';
import type { ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';

/** The folder of the documentation, beside the function's own code. */
export const REFERENCE_FOLDER = 'docs';

/** What the function of the documentation has: the files that were built into its own package. */
export const referenceContainer: Start<StatelessDeps & { readonly referenceFiles: ReferenceFilesPort }> = (
  env,
  log,
) => {
  const rest = statelessContainer(env, log);
  const places = pageReplacements({ api: env.apiUrl, stage: env.stage, control: '' });
  const referenceFiles = packedReference(join(import.meta.dirname, REFERENCE_FOLDER), places);
  return async () => ({ ...(await rest()), referenceFiles });
};
