import { describeApi } from '#functions/openapi/describe-api.ts';
import { ROUTES } from '#functions/route-table.ts';
import type { ApiDocument } from '#lib/client/operations.ts';
import { printClient } from '#lib/client/print-client.ts';
import { isRaw, routeKey } from '#shared/http/route.ts';

/** What `npm run client` writes, by file name: the same document that the API serves, as types and methods. */
export async function clientFiles(): Promise<ReadonlyMap<string, string>> {
  // As JSON: the document is described with values that JSON leaves out.
  const document: ApiDocument = JSON.parse(JSON.stringify(await describeApi()));
  const usesUp = Object.values(ROUTES)
    .flat()
    .filter((route) => !isRaw(route) && route.usesUp)
    .map(routeKey);
  return printClient(document, new Set(usesUp));
}
