/** The API documents, by the names of their files and addresses. */
export const DOCUMENT_NAMES = ['openapi', 'openapi-dashboard'] as const;
export type DocumentName = (typeof DOCUMENT_NAMES)[number];

type Json = { readonly [name: string]: unknown };
type PathItem = Readonly<Record<string, object>>;
type ApiPart = {
  readonly tags?: readonly object[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, object>>;
};

/**
 * The documents that are served, as one again, for programs that read all of it. Parameters that the operations of a
 * path share stand at each operation.
 */
export function joinDocuments<Part extends ApiPart>(first: Part, second: ApiPart) {
  const paths: Record<string, PathItem> = operationsByPath(first.paths);
  for (const [path, operations] of Object.entries(operationsByPath(second.paths)))
    paths[path] = { ...paths[path], ...operations };
  const components: Record<string, object> = { ...first.components };
  for (const [kind, all] of Object.entries(second.components)) components[kind] = { ...components[kind], ...all };
  return { ...first, tags: [...(first.tags ?? []), ...(second.tags ?? [])], paths, components };
}

const operationsByPath = (paths: ApiPart['paths']): Record<string, PathItem> =>
  Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, operationsOf(item)]));

function operationsOf({ parameters: shared, ...operations }: PathItem): PathItem {
  if (!Array.isArray(shared)) return operations;
  const withShared = (operation: Json) => ({ ...operation, parameters: [...shared, ...parametersOf(operation)] });
  return Object.fromEntries(
    Object.entries(operations).map(([method, operation]) => [method, withShared(operation as Json)]),
  );
}

const parametersOf = ({ parameters }: Json): readonly unknown[] => (Array.isArray(parameters) ? parameters : []);
