import type { ClientMethod } from '#lib/client/operations.ts';
import {
  type ApiDescription,
  type Endpoint,
  exampleOf,
  jsonOf,
  type Parameter,
  type Schema,
  successOf,
} from '#lib/reference/api-description.ts';
import { type Api, type ApiGroup, groupPath, objectId } from '#lib/reference/api-groups.ts';
import { ownErrorsOf } from '#lib/reference/error-codes.ts';
import { type Field, replyTree, treeOf, typeText } from '#lib/reference/field-tree.ts';
import type { Block, Entry, Page } from '#lib/reference/page.model.ts';
import { samplesOf } from '#lib/reference/samples.ts';

/** What the pages of the API are made from. `methods`: those of the client, by `POST /v1/payments`. */
type ApiSource = {
  readonly document: ApiDescription;
  readonly api: Api;
  readonly methods: ReadonlyMap<string, ClientMethod>;
};

export const apiPages = (source: ApiSource): readonly Page[] =>
  source.api.groups.map((group) => groupPage(source, group));

function groupPage(source: ApiSource, group: ApiGroup): Page {
  const [summary = '', ...more] = group.description.split('\n\n');
  const blocks: Block[] = [
    ...(more.length > 0 ? [{ kind: 'prose', markdown: more.join('\n\n') } as const] : []),
    ...group.objects.map((name) => objectEntry(source, name)),
    ...group.endpoints.map((endpoint) => endpointEntry(source, endpoint)),
  ];
  return { path: groupPath(group.tag), title: group.title, summary, section: 'API', blocks };
}

/** An object that several operations return. */
function objectEntry({ document, api }: ApiSource, name: string): Entry {
  const schema: Schema = { $ref: `#/components/schemas/${name}` };
  const { description = '' } = (document.components.schemas?.[name] ?? {}) as Schema;
  const others = new Map([...api.objects].filter(([other]) => other !== name));
  return {
    kind: 'entry',
    id: objectId(name),
    title: `The ${wordsOf(name)} object`,
    blocks: [...proseOf(description), { kind: 'fields', ...treeOf(document, schema, others), isReply: true }],
    samples: jsonSample('Example', exampleReturning(document, api, name)),
  };
}

/** `SavedPaymentMethod` is `saved payment method`; `ABTest` stays. */
const wordsOf = (name: string): string => name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();

/** The example of an operation that returns exactly this object. */
function exampleReturning(document: ApiDescription, api: Api, name: string): unknown {
  const replies = api.groups
    .flatMap(({ endpoints }) => endpoints)
    .map((endpoint) => jsonOf(successOf(endpoint)?.[1]))
    .filter((media) => media?.schema?.$ref?.endsWith(`/${name}`));
  return replies.map((media) => exampleOf(document, media)).find((example) => example !== undefined);
}

function endpointEntry(source: ApiSource, endpoint: Endpoint): Entry {
  const { document, methods } = source;
  const { operationId, summary = operationId, description = '', method, path, deprecated } = endpoint;
  const [, success] = successOf(endpoint) ?? [];
  const samples = samplesOf(document, endpoint, methods.get(`${method} ${path}`));
  return {
    kind: 'entry',
    id: operationId,
    title: summary,
    code: `${method} ${path}`,
    ...(deprecated && { isDeprecated: true }),
    blocks: [
      ...proseOf(description),
      ...proseOf(`**Who may call it**: ${callersOf(endpoint)}`),
      ...parameterBlocks(source, endpoint),
      ...bodyBlocks(source, endpoint),
      ...replyBlocks(source, endpoint),
      ...errorBlocks(endpoint),
    ],
    samples: [
      { kind: 'samples', title: 'Request', samples },
      ...jsonSample('Response', exampleOf(document, jsonOf(success))),
    ],
  };
}

const proseOf = (markdown: string): Block[] => (markdown === '' ? [] : [{ kind: 'prose', markdown }]);
const label = (text: string): Block => ({ kind: 'label', level: 3, text });

const jsonSample = (title: string, example: unknown): Entry['samples'] =>
  example === undefined
    ? []
    : [{ kind: 'samples', title, samples: [{ language: 'json', label: '', code: JSON.stringify(example, null, 2) }] }];

/** In words, from the ways that the operation accepts. */
function callersOf({ security = [] }: Endpoint): string {
  const ways = new Map(security.flatMap((each) => Object.entries(each)));
  if (ways.size === 0) return 'anyone, without a credential.';
  const scopes = [...ways.values()].flat();
  const keys = ways.has('Bearer') || ways.has('ServiceKey');
  const parts = [
    ...(ways.has('PublicKey') ? ['public keys, from any web page'] : []),
    ...(keys ? [scopes.length > 0 ? `keys with the scope \`${scopes[0]}\`` : 'any key of the organization'] : []),
    ...(ways.has('Session') ? ['signed-in people, as far as their role allows'] : []),
  ];
  return `${parts.join('; ')}.`;
}

const PLACES = [
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Headers'],
] as const;

function parameterBlocks({ document }: ApiSource, { parameters }: Endpoint): readonly Block[] {
  return PLACES.flatMap(([place, title]) => {
    const own = parameters.filter((each) => each.in === place);
    const fields = own.map((each) => parameterField(document, each));
    if (fields.length === 0) return [];
    const block: Block = { kind: 'fields', fields };
    return place === 'header' ? [{ ...block, foldedUnder: headersLine(own) }] : [label(title), block];
  });
}

/** Headers are the same nearly everywhere. */
const headersLine = (own: readonly Parameter[]): string =>
  `Headers: ${own.map(({ name, required }) => (required ? `${name} (required)` : name)).join(', ')}`;

/** A parameter is shown as a field is. */
function parameterField(document: ApiDescription, parameter: Parameter): Field {
  const { name, required = false, schema = {}, description } = parameter;
  const wrapped = treeOf(document, { properties: { [name]: schema }, required: required ? [name] : [] });
  const [field] = wrapped.fields;
  if (!field) throw new Error(`The parameter ${name} has no field.`);
  return { ...field, type: typeText(schema, document), description: description ?? field.description };
}

function bodyBlocks({ document }: ApiSource, { requestBody }: Endpoint): readonly Block[] {
  const schema = jsonOf(requestBody)?.schema;
  if (!schema) return [];
  const { fields, variants } = treeOf(document, schema);
  const title = requestBody?.required === false ? 'Body, which may be left out' : 'Body';
  return [label(title), ...noteOf(document, schema), { kind: 'fields', fields, variants }];
}

/** What is said of the whole body. */
const noteOf = (document: ApiDescription, { $ref = '', description }: Schema): Block[] => {
  const component = document.components.schemas?.[$ref.slice($ref.lastIndexOf('/') + 1)] as Schema | undefined;
  return proseOf(description ?? component?.description ?? '');
};

function replyBlocks({ document, api }: ApiSource, endpoint: Endpoint): readonly Block[] {
  const [status, success] = successOf(endpoint) ?? [];
  if (status === undefined) return [];
  const schema = jsonOf(success)?.schema;
  const text = success?.description ?? '';
  if (!schema) return [label(`Response ${status}`), ...proseOf(text)];
  const { fields, variants, object, list } = replyTree(document, schema, api.objects);
  const tree: Block = { kind: 'fields', fields, variants, isReply: true };
  if (!object) return [label(`Response ${status}`), ...noteOf(document, schema), tree];
  const what = list ? 'An array of objects' : 'The object';
  return [label(`Response ${status}`), ...proseOf(`${what} [${object.name}](${object.address}).`)];
}

function errorBlocks(endpoint: Endpoint): readonly Block[] {
  const own = ownErrorsOf(endpoint).map((code) => `[\`${code}\`](/docs/errors#${code})`);
  const every = 'those of [every request](/docs/errors)';
  return [label('Errors'), ...proseOf(own.length > 0 ? `${own.join(', ')}, and ${every}.` : `Only ${every}.`)];
}
