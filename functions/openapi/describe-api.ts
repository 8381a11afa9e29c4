import * as z from 'zod';
import { DESCRIBED_AS, GROUP_NOTES, INFO } from '#functions/openapi/api-notes.ts';
import { apiWords } from '#functions/openapi/api-words.ts';
import { withStructure } from '#functions/openapi/structure/with-structure.ts';
import { withExamples } from '#functions/openapi/with-examples.ts';
import { withValueWords } from '#functions/openapi/with-value-words.ts';
import { withWords } from '#functions/openapi/with-words.ts';
import { ROUTES } from '#functions/route-table.ts';
import { type OpenApiDocument, openApiDocument } from '#shared/http/openapi/document.ts';
import type { AnyRoute } from '#shared/http/route.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';
import { PSPS } from '#shared/psp/providers.ts';

const isForClients = ({ method, path }: AnyRoute): boolean => method !== 'OPTIONS' && !path.endsWith('+}');

/** Preflights, and URLs that a person got wrong, are sent by browsers, not by API clients. */
const groups: Record<string, readonly AnyRoute[]> = {};
for (const [group, routes] of Object.entries(ROUTES)) {
  const name: string = group in DESCRIBED_AS ? DESCRIBED_AS[group as keyof typeof DESCRIBED_AS] : group;
  groups[name] = [...(groups[name] ?? []), ...routes.filter(isForClients)];
}

/** Of all providers, each once. */
const METHODS = [...new Set(Object.values(PSPS).flatMap(({ capabilities }) => capabilities.methods))].sort();

/** The document of the current routes, for tools and tests: the API serves the committed text. */
export async function describeApi(words = apiWords()): Promise<OpenApiDocument> {
  const credentials = await credentialShapes();
  const document = openApiDocument(groups, {
    info: INFO,
    groups: GROUP_NOTES,
    schemas: credentials,
  });
  const described = withWords(withCredentials(document, Object.keys(credentials)), words);
  // Again, for the components that the structure makes.
  const whole = withWords(withStructure(described, METHODS), words);
  return withVersion(withExamples(withValueWords(whole)));
}

/** A version that changes whenever the document does, so that a generated client can say what it was made from. */
function withVersion(document: OpenApiDocument): OpenApiDocument {
  const { info } = document;
  const hash = sha256Hex(JSON.stringify(document)).slice(0, 12);
  return { ...document, info: { ...info, version: `${info.version}+${hash}` } };
}

/** `npm run openapi` writes this to `openapi.json`. */
export const openApiText = async (): Promise<string> => `${JSON.stringify(await describeApi(), null, 2)}\n`;

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
