import { beforeAll, describe, expect, it } from 'vitest';
import { clientMethods } from '#lib/client/operations.ts';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { COMMON_HEADERS, ERROR_HEADERS } from '#shared/http/openapi/components.ts';
import { operationIds } from '#shared/http/openapi/operation-ids.ts';
import { type AnyRoute, get } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { apiDocument } from '#test/support/api-document.ts';
import type { Body } from '#test/support/host.ts';

let api: Body;
beforeAll(async () => {
  api = await apiDocument();
});

const KB = 1_000;
/** Without examples, minified: with all words, and what is left without them. */
const MAX_BYTES = 480 * KB;
const MAX_BYTES_WITHOUT_WORDS = 300 * KB;

/** The document without what only people read. */
const sizeWithout = (names: readonly string[]): number =>
  JSON.stringify(api, (name, value) =>
    names.includes(name) && (typeof value !== 'object' || /^example|^x-enum/.test(name)) ? undefined : value,
  ).length;

it(`the API document has at most ${MAX_BYTES / KB} KB without examples, and ${MAX_BYTES_WITHOUT_WORDS / KB} KB without words`, () => {
  const examples = ['example', 'examples'];
  const sizes = [
    sizeWithout([]),
    sizeWithout(examples),
    sizeWithout([...examples, 'description', 'summary', 'x-enumDescriptions']),
  ];
  const [all = 0, withoutExamples = 0, withoutWords = 0] = sizes;
  process.stdout.write(
    `The API document has ${all} bytes; ${withoutExamples} without examples, ${withoutWords} without words too.\n`,
  );
  expect(withoutExamples).toBeLessThanOrEqual(MAX_BYTES);
  expect(withoutWords).toBeLessThanOrEqual(MAX_BYTES_WITHOUT_WORDS);
  expect(withoutWords).toBeGreaterThan(100 * KB);
});

describe('the name of an operation', () => {
  const route = (operationId: string, path = '/v1/things'): AnyRoute =>
    get(path, { access: 'anyone', summary: '', reply: NoBody, operationId, run: async () => ({}) });

  it.each(['listThings', 'setUpTotp', 'getAbTestResults', 'findRecords'])('may be %s', (id) => {
    const line = route(id);
    expect(operationIds([line])(line)).toBe(id);
  });

  it.each(['list', 'things', 'postV1Things', 'ListThings', 'list_things', 'thingsList'])('may not be %s', (id) =>
    expect(() => operationIds([route(id)])).toThrow(`GET /v1/things is called ${id}: give it an operationId`),
  );

  it('may not be that of another operation', () =>
    expect(() => operationIds([route('listThings'), route('listThings', '/v1/stuff')])).toThrow(
      'GET /v1/things and GET /v1/stuff are both called listThings',
    ));

  it('reads well as a method of the client, whose group says the noun once', () => {
    const names = clientMethods(api, new Set()).map(({ group, name }) => `${group}.${name}`);
    const repeating = names.filter((name) => {
      const [group = '', method = ''] = name.split('.');
      const noun = group.replace(/s$/, '');
      return method.toLowerCase().endsWith(noun.toLowerCase()) || /[A-Z]{3}|[^a-zA-Z.]/.test(method);
    });
    expect(names).toEqual(expect.arrayContaining(['payments.create', 'payments.getStats', 'connections.setStatus']));
    expect(names).toEqual(
      expect.arrayContaining(['connections.listAudit', 'workflows.listRules', 'webhooks.saveConfig']),
    );
    expect(repeating).toEqual([]);
  });
});

it('a second spelling of the A/B test paths is deprecated, and has no method in the client', () => {
  const deprecated = Object.entries<Body>(api.paths).flatMap(([path, item]) =>
    Object.entries<Body>(item).flatMap(([method, operation]) => (operation.deprecated ? [`${method} ${path}`] : [])),
  );
  expect(deprecated.sort()).toEqual([
    'get /v1/routing-ab-tests',
    'get /v1/routing-ab-tests/{id}/comparison',
    'get /v1/routing-ab-tests/{id}/results',
    'get /v1/routing/ab-tests/{id}',
    'patch /v1/routing-ab-tests/{id}',
    'post /v1/routing-ab-tests',
    'post /v1/routing-ab-tests/{id}/start',
    'post /v1/routing/ab-tests/{id}/complete',
    'post /v1/routing/ab-tests/{id}/pause',
  ]);
  const methods = clientMethods(api, new Set()).map(({ verb, path }) => `${verb.toLowerCase()} ${path}`);
  expect(methods.filter((method) => deprecated.includes(method))).toEqual([]);
  expect(methods.filter((method) => method.includes('ab-tests'))).toHaveLength(9);
});

describe('a union in the API document', () => {
  const unions = () => Object.entries<Body>(api.components.schemas).filter(([, { oneOf }]) => oneOf);

  it.each([
    ['NextAction', 'type', ['redirect', 'collect', 'display', 'await', 'sdk']],
    ['Integration', 'type', ['http', 'slack', 'email']],
    ['CreateIntegration', 'type', ['http', 'slack', 'email']],
    ['CreateKeyOfKind', 'kind', ['service', 'secret', 'public']],
    ['ProviderConnection', 'provider', [...PROVIDERS]],
    ['AnyEvent', 'type', [...EVENT_TYPES]],
  ])('%s is told apart by %s', (name, property, values) => {
    const { discriminator } = api.components.schemas[name];
    expect([discriminator.propertyName, Object.keys(discriminator.mapping).sort()]).toEqual([
      property,
      values.toSorted(),
    ]);
  });

  it('names a component for each of its cases', () => {
    expect(unions().length).toBeGreaterThanOrEqual(8);
    for (const [name, { oneOf }] of unions())
      expect(
        oneOf.every(({ $ref }: Body) => typeof $ref === 'string'),
        name,
      ).toBe(true);
  });

  it('has a case for each value that its property may have, which has this value', () => {
    for (const [name, { discriminator, oneOf }] of unions().filter(([, union]) => union.discriminator)) {
      const refs = new Set(oneOf.map(({ $ref }: Body) => $ref));
      for (const [value, $ref] of Object.entries<string>(discriminator.mapping)) {
        const schema = api.components.schemas[$ref.split('/').at(-1) ?? ''];
        const parts = [schema, ...(schema.allOf ?? [])];
        const property = parts.map(({ properties }: Body) => properties?.[discriminator.propertyName]).find(Boolean);
        expect([refs.has($ref), property.const ?? property.enum], `${name} ${value}`).toEqual([
          true,
          property.const ? value : expect.arrayContaining([value]),
        ]);
      }
    }
  });
});

it('each event type has a schema of its own, and a webhook that receives it', () => {
  expect(Object.keys(api.webhooks)).toEqual([...EVENT_TYPES]);
  for (const type of EVENT_TYPES) {
    const [{ $ref }, delivery] = api.webhooks[type].post.requestBody.content['application/json'].schema.allOf;
    expect($ref).toBe(api.components.schemas.AnyEvent.discriminator.mapping[type]);
    expect(delivery.$ref).toBe('#/components/schemas/EventDelivery');
  }
});

it('an error is described once, with the headers of every response', () => {
  const { Error: problem, ErrorPage: page } = api.components.responses;
  for (const { headers } of [problem, page]) expect(Object.keys(headers)).toEqual([...ERROR_HEADERS]);
  expect(ERROR_HEADERS).toEqual(expect.arrayContaining([...COMMON_HEADERS]));
});

it('the version of the document changes with it, and names what it is made of', async () => {
  expect(api.info.version).toMatch(/^1\.0\.0\+[0-9a-f]{12}$/);
  expect(api.info.license).toEqual({ name: 'Apache 2.0', identifier: 'Apache-2.0' });
  expect(api.info.contact.name).toBe('Payfork');
});

it('every list with `pagination` names the cursor of its next page, as `Link` does', () => {
  const pages = Object.entries<Body>(api.components.schemas).flatMap(([name, { properties }]) =>
    properties?.pagination ? [[name, properties.pagination.$ref] as const] : [],
  );
  expect(pages.length).toBeGreaterThan(15);
  for (const [name, $ref] of pages) {
    const page = api.components.schemas[$ref?.split('/').at(-1)];
    expect([name, page?.properties.next_cursor.type], name).toEqual([name, ['string', 'null']]);
    expect(page.required).toContain('next_cursor');
  }
});
