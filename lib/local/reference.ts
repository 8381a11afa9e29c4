import { referenceFiles } from '#shared/adapters/reference/reference-files.adapter.ts';
import { pageReplacements } from '#shared/domain/reference/page-places.catalog.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { ReferenceBroken, type ReferenceFilesPort } from '#shared/ports/reference-files.port.ts';

type Addresses = {
  readonly apiUrl: string;
  readonly functionUrl: string;
  readonly controlUrl: string;
  readonly stage: Stage;
};

/**
 * The documentation of this host, built in this process when it is first opened. The commands in it name this host's own
 * ports, and its script asks the control server for the demo key.
 */
export function localReference({ apiUrl, functionUrl, controlUrl, stage }: Addresses): ReferenceFilesPort {
  const replacements = {
    ...pageReplacements({ api: apiUrl, stage, control: controlUrl }),
    ...ofDocuments(4000, apiUrl),
    ...ofDocuments(4001, functionUrl),
    ...ofDocuments(4002, controlUrl),
  };
  return referenceFiles(buildHere, replacements, [controlUrl]);
}

/** An address as the documents have it, for a host whose ports nobody changed: pages are opened under the other name. */
const ofDocuments = (port: number, address: string): Readonly<Record<string, string>> => ({
  [`http://127.0.0.1:${port}`]: address,
  [`http://localhost:${port}`]: address.replace('127.0.0.1', 'localhost'),
});

async function buildHere(): Promise<ReadonlyMap<string, Buffer>> {
  try {
    const { buildReference } = await import('#lib/reference/build-reference.ts');
    return buildReference();
  } catch (error) {
    throw new ReferenceBroken(error instanceof Error ? error.message : String(error), { cause: error });
  }
}
