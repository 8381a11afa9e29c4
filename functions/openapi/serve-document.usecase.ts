import { readDocument } from '#functions/openapi/read-document.ts';
import type { DocumentName } from '#shared/domain/reference/api-documents.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { gzipped } from '#shared/kernel/gzip.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import type { ServiceConfig } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { type CompressedContent, compressedResponse } from '#shared/services/reference/compressed-response.service.ts';

type Request = Pick<RawRequest, 'headers'>;
type Needs = { readonly config: Pick<ServiceConfig, 'stage' | 'apiUrl' | 'otherStageUrl'> };

/** Read and compressed lazily, once, to keep them out of cold starts: for each address that a process serves. */
const documents = new Map<string, Promise<CompressedContent>>();

export const serveApiDocument = (request: Request, needs: Needs) => serveDocument('openapi', request, needs);
export const serveDashboardDocument = (request: Request, needs: Needs) =>
  serveDocument('openapi-dashboard', request, needs);

/**
 * A committed document, with the addresses of this deployment; that it is up to date is tested, so nothing is built
 * here. Any page may read it. It is large, so that most requests should get a tenth of it, or nothing.
 */
async function serveDocument(name: DocumentName, { headers }: Request, { config }: Needs): Promise<RawResponse> {
  const address = `${config.apiUrl}/${name}.json`;
  const document = documents.get(address) ?? loadDocument(name, config);
  documents.set(address, document);
  return compressedResponse(headers, await document, {
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  });
}

async function loadDocument(name: DocumentName, config: Needs['config']): Promise<CompressedContent> {
  const parsed = await readDocument(name);
  const externalDocs = { ...parsed.externalDocs, url: `${config.apiUrl}/docs` };
  const body = JSON.stringify({ ...parsed, externalDocs, servers: serversOf(config, parsed.servers) });
  return { body, gzipped: await gzipped(body), etag: `W/"${sha256Hex(body).slice(0, 32)}"` };
}

const STAGE_TEXTS = {
  live: 'Live: payments of real customers, with real money.',
  sandbox: 'Sandbox: payments of tests, with accounts that providers have for that.',
} as const satisfies Record<Stage, string>;

type Server = { readonly url: string; readonly description: string };

/** Both stages, this one first, in place of "where this document was read". */
function serversOf(
  { stage, apiUrl, otherStageUrl }: Needs['config'],
  [, ...others]: readonly Server[],
): readonly Server[] {
  const other = stage === 'live' ? 'sandbox' : 'live';
  const own = [
    { url: apiUrl, description: STAGE_TEXTS[stage] },
    { url: otherStageUrl, description: STAGE_TEXTS[other] },
  ];
  // Where the other stage's address is not set, the setting says so in words.
  const known = [...own, ...others].filter(({ url }) => URL.canParse(url));
  return [...new Map(known.map((server) => [server.url, server])).values()];
}
