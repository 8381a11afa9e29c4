import { type ApiDocument, type ClientMethod, componentsOf } from '#lib/client/operations.ts';
import { printComment, printType, type Schema, spaced } from '#lib/client/print-type.ts';

const MAX_LINE_LENGTH = 120;
const HEADER = '// Written by `npm run client` from the route table. Do not edit.\n';

/** The client's generated files, by their names. */
export function printClient(
  document: ApiDocument,
  all: readonly ClientMethod[],
  version: string,
): ReadonlyMap<string, string> {
  const methods = Map.groupBy(all, ({ group }) => group);
  const groups = [...methods].map(([group, own]) => [`${kebabCase(group)}.ts`, printGroup(group, own)] as const);
  return new Map([
    ['schemas.ts', printSchemas(document)],
    ...groups,
    ['api.ts', printApi([...methods.keys()], document)],
    ['version.ts', `${HEADER}\nexport const VERSION = '${version}';\n`],
  ]);
}

const kebabCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function printSchemas({ components }: ApiDocument): string {
  const types = Object.entries(components?.schemas ?? {}).map(([name, schema]) => {
    const shape = schema as Schema;
    const comment = printComment('description' in shape ? shape.description : undefined, '');
    return `${comment}export type ${name} =${spaced(printType(shape))};\n`;
  });
  const noInput = types.some((text) => text.includes('NoInput'))
    ? "import type { NoInput } from '../options.ts';\n"
    : '';
  return `${HEADER}${noInput}\n${types.join('\n')}`;
}

function printApi(groups: readonly string[], { tags = [] }: ApiDocument): string {
  const imports = groups.map((group) => `import { ${group} } from './${kebabCase(group)}.ts';\n`).sort();
  const fields = groups.map((group) => {
    const comment = tags.find(({ name }) => name === kebabCase(group))?.description;
    return `${printComment(comment, '  ')}  declare readonly ${group}: ReturnType<typeof ${group}>;\n`;
  });
  const made = groups.map((group) => `    this.${group} = ${group}(call);\n`);
  return (
    `${HEADER}import type { Call } from '../call.ts';\n${imports.join('')}\nexport class Api {\n${fields.join('')}\n` +
    `  constructor(call: Call) {\n${made.join('')}  }\n}\n`
  );
}

function printGroup(group: string, methods: readonly ClientMethod[]): string {
  const queries = methods.map(printQuery).join('');
  const bodies = methods.map(printMethod).join('\n');
  const names = [...new Set(methods.flatMap(componentsOf))].sort();
  const code = `${queries}\nexport const ${group} = (call: Call) => ({\n${bodies}});\n`;
  return `${HEADER}${importsOf(code, names, methods)}${code}`;
}

function importsOf(code: string, names: readonly string[], methods: readonly ClientMethod[]): string {
  const noInput = code.includes('NoInput') ? 'NoInput, ' : '';
  return [
    ...(methods.some(({ list }) => !list) ? ["import type { ApiPromise } from '../api-promise.ts';"] : []),
    "import type { Call } from '../call.ts';",
    ...(methods.some(({ list }) => list) ? ["import type { List } from '../list.ts';"] : []),
    `import type { ${noInput}RequestOptions } from '../options.ts';`,
    ...(methods.some(({ ids }) => ids.length > 0) ? ["import { path } from '../path.ts';"] : []),
    ...(names.length === 0
      ? []
      : [`import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './schemas.ts';`]),
    '',
  ].join('\n');
}

const queryName = ({ typeName }: ClientMethod): string => `${typeName}Query`;

function printQuery(method: ClientMethod): string {
  if (method.query.length === 0) return '';
  const properties = Object.fromEntries(method.query.map(({ name, schema }) => [name, schema]));
  const required = method.query.flatMap(({ name, required: isRequired }) => (isRequired ? [name] : []));
  const type = printType({ type: 'object', properties, required } as Schema);
  return `\nexport type ${queryName(method)} = ${type};\n`;
}

function printMethod(method: ClientMethod): string {
  const ids = method.ids.map((id) => `${idName(id)}: string`);
  const parameters = [...ids, inputOf(method), 'options?: RequestOptions'];
  const list = method.list && `List<${printType(method.list.item, '  ')}, ${printType(method.reply, '  ')}>`;
  const type = list ?? `ApiPromise<${printType(method.reply, '  ')}>`;
  const line = `  ${method.name}: (${parameters.join(', ')}): ${type} =>`;
  const signature =
    line.length <= MAX_LINE_LENGTH
      ? line
      : `  ${method.name}: (\n${parameters.map((each) => `    ${each},\n`).join('')}  ): ${type} =>`;
  return `${printComment(method.comment, '  ')}${signature}\n    ${callOf(method)},\n`;
}

function inputOf(method: ClientMethod): string {
  const { body, query } = method;
  if (body) return `input${body.required ? '' : '?'}: ${printType(body.schema, '  ')}`;
  if (query.length === 0) return 'input?: NoInput';
  return `input${query.some(({ required }) => required) ? '' : '?'}: ${queryName(method)}`;
}

const idName = (id: string): string => id.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

function callOf(method: ClientMethod): string {
  const { verb, ids, list, repeatable } = method;
  const at =
    ids.length === 0
      ? `'${method.path}'`
      : `path\`${method.path.replaceAll(/\{(\w+)\}/g, (_, id) => `\${${idName(id)}}`)}\``;
  if (list) return `call.list(${at}, ${list.field === null ? 'null' : `'${list.field}'`}, input, options)`;
  if (verb === 'GET') return `call.${repeatable ? 'get' : 'getOnce'}(${at}, input, options)`;
  return `call.${repeatable ? 'change' : 'changeOnce'}('${verb}', ${at}, input, options)`;
}
