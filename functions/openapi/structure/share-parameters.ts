import { isObject, type Json, mapValues, pascalCase } from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/** A parameter that several operations have in the same words stands once, among the components. */
export function withSharedParameters(document: OpenApiDocument): OpenApiDocument {
  const { paths = {}, components } = document;
  const uses = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item as Json).flatMap((operation) => inlineOf(operation).map((parameter) => ({ path, parameter }))),
  );
  const names = new Map<string, string>();
  const shared: Record<string, unknown> = { ...components?.parameters };
  const bySize = [...Map.groupBy(uses, ({ parameter }) => JSON.stringify(parameter))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  for (const [text, [first, ...others]] of bySize) {
    if (!first || others.length === 0) continue;
    const name = nameOf(first);
    if (name in shared) continue;
    shared[name] = first.parameter;
    names.set(text, name);
  }
  const refer = (parameter: unknown): unknown => {
    const name = names.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  return {
    ...document,
    paths: mapValues(paths, (item) =>
      mapValues(item as Json, (operation) =>
        isObject(operation) && Array.isArray(operation.parameters)
          ? { ...operation, parameters: operation.parameters.map(refer) }
          : operation,
      ),
    ) as OpenApiDocument['paths'],
    components: { ...components, parameters: shared } as OpenApiDocument['components'],
  };
}

function inlineOf(operation: unknown): readonly Json[] {
  const all = isObject(operation) && Array.isArray(operation.parameters) ? operation.parameters : [];
  return all.filter((parameter) => isObject(parameter) && !('$ref' in parameter));
}

/** `PaymentId` for the id in `/v1/payments/{id}`; `Limit` for `limit`. */
function nameOf({ path, parameter }: { readonly path: string; readonly parameter: Json }): string {
  if (parameter.in !== 'path') return pascalCase(String(parameter.name));
  if (parameter.name !== 'id') return `${pascalCase(String(parameter.name))}InPath`;
  const [, resource = ''] = /([^/]+)\/\{id\}/.exec(path) ?? [];
  return `${pascalCase(resource).replace(/ies$/, 'y').replace(/s$/, '')}Id`;
}
