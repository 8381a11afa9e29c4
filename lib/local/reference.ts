import { referenceFiles } from '#shared/adapters/reference/reference-files.adapter.ts';
import { pageReplacements } from '#shared/domain/reference/page-places.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { ReferenceBroken, type ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';

type Addresses = { readonly apiUrl: string; readonly controlUrl: string; readonly stage: Stage };

/** As the documents have them, for a host whose ports nobody changed. */
const DOCUMENTED = { control: 'http://127.0.0.1:4002', api: 'http://127.0.0.1:4000' } as const;

/**
 * The documentation of this host, built in this process when it is first opened. The commands in it name this host's own
 * ports, and its script asks the control server for the demo key.
 */
export function localReference({ apiUrl, controlUrl, stage }: Addresses): ReferenceFilesPort {
  const replacements = {
    ...pageReplacements({ api: apiUrl, stage, control: controlUrl }),
    [DOCUMENTED.control]: controlUrl,
    [DOCUMENTED.api]: apiUrl,
  };
  return referenceFiles(buildHere, replacements, [controlUrl]);
}

async function buildHere(): Promise<ReadonlyMap<string, Buffer>> {
  try {
    const { buildReference } = await import('#lib/reference/build-reference.ts');
    return buildReference();
  } catch (error) {
    throw new ReferenceBroken(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
