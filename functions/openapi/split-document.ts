import { infoOf, TAG_NOTES } from '#functions/openapi/api-notes.ts';
import { isObject, type Json } from '#functions/openapi/structure/json.ts';
import type { DocumentName } from '#shared/domain/reference/api-documents.rules.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';
import { sha256Hex } from '#shared/kernel/ids.ts';

/**
 * The part of the whole that readers of one document need: the operations of its tags, and the components that these
 * reach. `joinDocuments` puts the parts together again.
 */
export function documentPart(whole: OpenApiDocument, name: DocumentName): OpenApiDocument {
  const has = (tag: unknown): boolean => Object.hasOwn(TAG_NOTES[name], String(tag));
  const ofTags = (items: object = {}): Json =>
    Object.fromEntries(
      Object.entries(items).flatMap(([path, item]) => {
        const own = Object.entries(item as Json).filter(([, operation]) => has((operation as Operation).tags[0]));
        return own.length === 0 ? [] : [[path, withSharedParameters(own as Entries)]];
      }),
    );
  const webhooks = ofTags(whole.webhooks);
  const part = {
    ...whole,
    info: infoOf(name),
    tags: (whole.tags ?? []).filter((tag) => has(tag.name)),
    paths: ofTags(whole.paths),
    webhooks: Object.keys(webhooks).length > 0 ? webhooks : undefined,
    components: undefined,
  };
  const components = reached(part, whole.components as Components);
  return withVersion({ ...part, components } as unknown as OpenApiDocument);
}

type Operation = { readonly tags: readonly string[]; readonly parameters?: readonly unknown[] };
type Entries = readonly (readonly [method: string, Operation])[];
type Components = Readonly<Record<string, Json>>;

/** What all operations of a path take stands once, at the path. */
function withSharedParameters(operations: Entries): Json {
  const [[, first] = ['', undefined], ...others] = operations;
  if (!first || others.length === 0) return Object.fromEntries(operations);
  const texts = operations.map(([, { parameters = [] }]) => new Set(parameters.map((each) => JSON.stringify(each))));
  const isShared = (parameter: unknown): boolean => texts.every((own) => own.has(JSON.stringify(parameter)));
  const shared = (first.parameters ?? []).filter(isShared);
  const own = operations.map(([method, { parameters = [], ...operation }]) => {
    const rest = parameters.filter((parameter) => !isShared(parameter));
    return [method, { ...operation, ...(rest.length > 0 && { parameters: rest }) }];
  });
  return { ...(shared.length > 0 && { parameters: shared }), ...Object.fromEntries(own) };
}

/** The components that a part names, and those that these name. Credentials are named without a reference. */
function reached(part: Json, components: Components): Components {
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === '$ref') reach(String(inner));
      if (key === 'security') for (const name of namesOf(inner)) reach(`#/components/securitySchemes/${name}`);
      visit(inner);
    }
  };
  const reach = (ref: string): void => {
    if (found.has(ref)) return;
    found.add(ref);
    const [kind = '', name = ''] = ref.split('/').slice(2);
    visit(components[kind]?.[name]);
  };
  visit(part);
  const kept = Object.entries(components).map(([kind, all]) => [
    kind,
    Object.fromEntries(Object.entries(all).filter(([name]) => found.has(`#/components/${kind}/${name}`))),
  ]);
  return Object.fromEntries(kept.filter(([, all]) => isObject(all) && Object.keys(all).length > 0));
}

const namesOf = (security: unknown): readonly string[] =>
  Array.isArray(security) ? security.flatMap((either: object) => Object.keys(either)) : [];

/** A version that changes whenever the document does, so that a generated client can say what it was made from. */
function withVersion(document: OpenApiDocument): OpenApiDocument {
  const { info } = document;
  const hash = sha256Hex(JSON.stringify(document)).slice(0, 12);
  return { ...document, info: { ...info, version: `${info.version}+${hash}` } };
}
