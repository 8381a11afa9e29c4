import { readFileSync } from 'node:fs';
import { describeApi } from '#functions/openapi/describe-api.ts';
import { ROUTES } from '#functions/route-table.ts';
import { type ApiDocument, type ClientMethod, clientMethods } from '#lib/client/operations.ts';
import { printClient } from '#lib/client/print-client.ts';
import { isRaw, routeKey } from '#shared/http/route.ts';

const PACKAGE = new URL('../../client/typescript/package.json', import.meta.url);

/** What `npm run client` writes, by file name: the same document that the API serves, as types and methods. */
export async function clientFiles(): Promise<ReadonlyMap<string, string>> {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  // As JSON: the document is described with values that JSON leaves out.
  const document: ApiDocument = JSON.parse(JSON.stringify(await describeApi()));
  return printClient(document, methodsOf(document), version);
}

/** The methods of the client for the endpoints of this document. */
export function methodsOf(document: ApiDocument): readonly ClientMethod[] {
  const usesUp = Object.values(ROUTES)
    .flat()
    .filter((route) => !isRaw(route) && route.usesUp)
    .map(routeKey);
  return clientMethods(document, new Set(usesUp));
}
