type Operation = {
  readonly 'x-error-codes'?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly object[];
  readonly responses?: Readonly<Record<string, object>>;
};
type Document = { readonly components?: Readonly<Record<string, object | undefined>> };

/** All codes that an operation of the document may respond with, from everywhere they stand. */
export function documentedErrors(operation: Operation, { components = {} }: Document): readonly string[] {
  const component = (kind: string, name: string): object =>
    new Map(Object.entries(components[kind] ?? {})).get(name) ?? {};
  const resolve = (part: object): object => {
    if (!('$ref' in part)) return part;
    const [kind = '', name = ''] = String(part.$ref).split('/').slice(2);
    return component(kind, name);
  };
  const schemes = (operation.security ?? []).flatMap((either) => Object.keys(either));
  const parts: readonly object[] = [
    operation,
    ...Object.values(operation.responses ?? {}).map(resolve),
    ...(operation.parameters ?? []).map(resolve),
    ...schemes.map((name) => component('securitySchemes', name)),
  ];
  return [...new Set(parts.flatMap(codesOf))];
}

function codesOf(part: object): readonly string[] {
  const codes: unknown = 'x-error-codes' in part ? part['x-error-codes'] : undefined;
  return Array.isArray(codes) ? codes : [];
}
