import {
  pageHeadersFor,
  renderBroken,
  renderMissing,
  renderMissingText,
  TEXT_HEADERS,
} from '#functions/reference/reference.page.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { ReferenceBroken } from '#shared/ports/reference-files.port.ts';
import { assetResponse, compressedResponse } from '#shared/services/reference/compressed-response.service.ts';

type ReferenceDeps = Pick<Deps, 'referenceFiles' | 'log'>;

const ASSETS = 'assets/';

/** Documentation that cannot be built says so, until it can: nothing of it is kept. */
export async function serveReference(request: RawRequest, deps: ReferenceDeps): Promise<RawResponse> {
  const { path = '' } = request.params;
  try {
    if (path.startsWith(ASSETS)) return await serveAsset(path, request, deps);
    return await servePage(path, request, deps);
  } catch (error) {
    if (!(error instanceof ReferenceBroken)) throw error;
    deps.log.error('reference_broken', { error });
    return renderBroken(error.message, request);
  }
}

/** `errors` is a page; `errors.md`, and a request for Markdown, get its Markdown. */
async function servePage(path: string, request: RawRequest, deps: ReferenceDeps): Promise<RawResponse> {
  const isFile = path.endsWith('.md');
  const name = isFile ? path.slice(0, -'.md'.length) : path || 'index';
  const isText = isFile || prefersMarkdown(request.headers.accept);
  const file = await deps.referenceFiles.file(`${name}.${isText ? 'md' : 'html'}`);
  if (!file) return isText ? renderMissingText() : renderMissing(request);
  const headers = isText ? TEXT_HEADERS : pageHeadersFor(request, deps.referenceFiles.connectsTo);
  const response = compressedResponse(request.headers, file, { ...headers, 'content-type': file.contentType });
  return { ...response, headers: { ...response.headers, vary: 'accept, accept-encoding' } };
}

/** Browsers name `text/html`, programs that want Markdown name that. */
const prefersMarkdown = (accept = ''): boolean => /\btext\/markdown\b/i.test(accept) && !/\btext\/html\b/i.test(accept);

async function serveAsset(name: string, { headers }: RawRequest, deps: ReferenceDeps): Promise<RawResponse> {
  const file = await deps.referenceFiles.file(name);
  if (!file) throw new AppError('not_found', 'There is no such file of the documentation. Load the page again.');
  return assetResponse(headers, file);
}

export const serveList =
  (name: 'llms.txt' | 'llms-full.txt') =>
  async ({ headers }: RawRequest, deps: ReferenceDeps): Promise<RawResponse> => {
    const file = await deps.referenceFiles.file(name);
    if (!file) throw new AppError('not_found', `There is no ${name} in this build of the documentation.`);
    return compressedResponse(headers, file, { ...TEXT_HEADERS, 'content-type': file.contentType });
  };
