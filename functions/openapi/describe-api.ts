import * as z from 'zod';
import { INFO, TAG_NOTES } from '#functions/openapi/api-notes.ts';
import { tagOf } from '#functions/openapi/api-tags.ts';
import { apiWords } from '#functions/openapi/api-words.ts';
import { documentPart } from '#functions/openapi/split-document.ts';
import { withStructure } from '#functions/openapi/structure/with-structure.ts';
import { withExamples } from '#functions/openapi/with-examples.ts';
import { withValueWords } from '#functions/openapi/with-value-words.ts';
import { withWords } from '#functions/openapi/with-words.ts';
import { type FunctionGroup, ROUTES } from '#functions/route-table.ts';
import { DOCUMENT_NAMES, type DocumentName } from '#shared/domain/reference/api-documents.rules.ts';
import { type OpenApiDocument, openApiDocument } from '#shared/http/openapi/document.ts';
import type { AnyRoute } from '#shared/http/route.ts';
import { PSPS } from '#shared/psp/providers.ts';

const isForClients = ({ method, path }: AnyRoute): boolean => method !== 'OPTIONS' && !path.endsWith('+}');

const NOTES = { ...TAG_NOTES.openapi, ...TAG_NOTES['openapi-dashboard'] };

/**
 * By tag, in the order of the notes. Preflights, and URLs that a person got wrong, are sent by browsers, not by API
 * clients.
 */
const ROUTES_BY_TAG = Map.groupBy(
  Object.entries(ROUTES).flatMap(([group, routes]) =>
    routes.filter(isForClients).map((route) => ({ route, tag: tagOf(group as FunctionGroup, route) })),
  ),
  ({ tag }) => tag,
);
const groups = Object.fromEntries(
  (Object.keys(NOTES) as (keyof typeof NOTES)[]).map((tag) => [
    tag,
    (ROUTES_BY_TAG.get(tag) ?? []).map(({ route }) => route),
  ]),
);

/** Of all providers, each once. */
const METHODS = [...new Set(Object.values(PSPS).flatMap(({ capabilities }) => capabilities.methods))].sort();

/** The whole description of the current routes, for tools and tests: the API serves parts of it, as committed. */
export async function describeApi(words = apiWords()): Promise<OpenApiDocument> {
  const credentials = await credentialShapes();
  const document = openApiDocument(groups, {
    info: INFO,
    groups: NOTES,
    schemas: credentials,
  });
  const described = withWords(withCredentials(document, Object.keys(credentials)), words);
  // Again, for the components that the structure makes.
  const whole = withWords(withStructure(described, METHODS), words);
  return withExamples(withValueWords(whole));
}

/** What `npm run openapi` writes to the file of each document. */
export async function openApiTexts(): Promise<Readonly<Record<DocumentName, string>>> {
  const whole = await describeApi();
  const texts = DOCUMENT_NAMES.map((name) => [name, `${JSON.stringify(documentPart(whole, name), null, 2)}\n`]);
  return Object.fromEntries(texts);
}

/** Every provider's folder has its credentials in a file of the same name. */
async function credentialShapes(): Promise<Record<string, z.ZodType>> {
  const providers = Object.keys(PSPS).sort();
  const found = await Promise.all(
    providers.map(async (provider) =>
      exportedShape(await import(`#shared/psp/${provider}/credentials.schema.ts`), provider),
    ),
  );
  return Object.fromEntries(found);
}

function exportedShape(module: Readonly<Record<string, unknown>>, provider: string): readonly [string, z.ZodType] {
  for (const [name, shape] of Object.entries(module)) {
    if (name.endsWith('Credentials') && shape instanceof z.ZodType) return [name, shape.meta({ unusedIO: 'input' })];
  }
  throw new Error(`shared/psp/${provider}/credentials.schema.ts exports no …Credentials.`);
}

/** A connection's credentials are those of its provider. */
function withCredentials(document: OpenApiDocument, names: readonly string[]): OpenApiDocument {
  const shapes = document.components?.schemas ?? {};
  const { SaveConnection: save } = shapes;
  if (!save || !('properties' in save)) throw new Error('No route takes a SaveConnection.');
  const credentials = {
    anyOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
    description:
      "The credentials of the connection's provider. Required for a new connection; otherwise they replace all " +
      'earlier ones. No response shows them.',
  };
  const schemas = { ...shapes, SaveConnection: { ...save, properties: { ...save.properties, credentials } } };
  return { ...document, components: { ...document.components, schemas } };
}
