import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '#functions/route-table.ts';
import { clientMethods } from '#lib/client/operations.ts';
import { DOCUMENT_NAMES, type DocumentName, joinDocuments } from '#shared/domain/reference/api-documents.rules.ts';
import { EVENT_TYPES } from '#shared/domain/reference/events.catalog.ts';
import { COMMON_HEADERS, ERROR_HEADERS } from '#shared/http/openapi/components.ts';
import { operationIds } from '#shared/http/openapi/operation-ids.ts';
import { type AnyRoute, get, isRaw, routeKey } from '#shared/http/route.ts';
import { NoBody } from '#shared/http/schema/common.schema.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';
import { apiDocument } from '#test/support/api-document.ts';
import type { Body } from '#test/support/host.ts';

let api: Body;
beforeAll(async () => {
  api = await apiDocument();
});

const KB = 1_000;
/** Minified, with all words, without examples. */
const MAX_BYTES = 300 * KB;

type ApiFile = { readonly name: DocumentName; readonly document: Body };
/** As they are served. */
const committed: readonly ApiFile[] = DOCUMENT_NAMES.map((name) => ({
  name,
  document: JSON.parse(readFileSync(new URL(`../../../${name}.json`, import.meta.url), 'utf8')),
}));

const bytes = (document: Body, left: readonly string[] = []): number =>
  Buffer.byteLength(JSON.stringify(document, (key, value) => (left.includes(key) ? undefined : value)));

const operationsOf = ({ paths }: Body): readonly Body[] =>
  Object.entries<Body>(paths).flatMap(([path, { parameters: shared = [], ...operations }]) =>
    Object.entries<Body>(operations).map(([method, operation]) => ({
      ...operation,
      key: `${method.toUpperCase()} ${path}`,
      shared,
      parameters: [...shared, ...(operation.parameters ?? [])],
    })),
  );

describe.each(committed)('$name.json', ({ name, document }) => {
  it(`has at most ${MAX_BYTES / KB} KB without examples`, () => {
    const [all, own] = [bytes(document), bytes(document, ['example', 'examples'])];
    const { length } = operationsOf(document);
    process.stdout.write(`${name}.json: ${length} operations, ${own} bytes; ${all} with examples.\n`);
    expect(own).toBeLessThanOrEqual(MAX_BYTES);
    expect(own).toBeGreaterThan(100 * KB);
    expect(all - own).toBeGreaterThan(30 * KB);
  });

  it('has the components that its operations and webhooks reach, and no other', () => {
    const { components, ...others } = document;
    const reached = new Set<string>();
    const visit = (node: Body): void => {
      for (const [key, inner] of typeof node === 'object' && node !== null ? Object.entries<Body>(node) : []) {
        if (key === 'security')
          for (const scheme of inner.flatMap(Object.keys)) reached.add(`securitySchemes/${scheme}`);
        if (key === '$ref') {
          const [, , kind, target] = inner.split('/');
          const isNew = !reached.has(`${kind}/${target}`);
          reached.add(`${kind}/${target}`);
          if (isNew) visit(components[kind][target]);
        } else visit(inner);
      }
    };
    visit(others);
    const names = Object.entries<Body>(components).flatMap(([kind, all]) =>
      Object.keys(all).map((target) => `${kind}/${target}`),
    );
    expect(names.sort()).toEqual([...reached].sort());
    expect(names.length).toBeGreaterThan(150);
  });

  it('says who made it, where it is served, and where the other document is', () => {
    const { info, servers, externalDocs } = document;
    expect(info).toMatchObject({
      contact: { name: 'Payfork' },
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      version: expect.stringMatching(/^1\.0\.0\+[0-9a-f]{12}$/),
    });
    expect([servers.length, externalDocs.url]).toEqual([2, 'http://127.0.0.1:4000/docs']);
    const others = DOCUMENT_NAMES.filter((other) => other !== name).map((other) => `\`/${other}.json\``);
    for (const other of others) expect(info.description).toContain(other);
  });

  it('uses each of its tags, and no other', () => {
    const declared = document.tags.map((tag: Body) => tag.name);
    expect(new Set(operationsOf(document).flatMap(({ tags }) => tags))).toEqual(new Set(declared));
  });

  it('says once, at the path, what all of its operations take, and nothing twice', () => {
    for (const [path, { parameters: shared = [], ...operations }] of Object.entries<Body>(document.paths)) {
      const own = Object.values<Body>(operations).map(({ parameters = [] }) =>
        parameters.map((p: Body) => JSON.stringify(p)),
      );
      const isAtEach = (text: string) => own.every((texts) => texts.includes(text));
      if (own.length > 1) expect(own[0].filter(isAtEach), path).toEqual([]);
      const texts = shared.map((p: Body) => JSON.stringify(p));
      expect(
        own.flat().filter((text: string) => texts.includes(text)),
        path,
      ).toEqual([]);
    }
  });
});

describe('the two documents', () => {
  const [main, dashboard] = committed.map(({ document }) => document);

  it('have every operation once, all of them together, with all parameters', () => {
    const keys = committed.flatMap(({ document }) => operationsOf(document).map(({ key }) => key));
    const parametersOf = (document: Body) =>
      Object.fromEntries(
        operationsOf(document).map(({ key, parameters }) => [
          key,
          parameters.map((p: Body) => JSON.stringify(p)).sort(),
        ]),
      );
    expect(new Set(keys).size).toBe(keys.length);
    const whole = operationsOf(api);
    expect([...keys].sort()).toEqual(whole.map(({ key }) => key).sort());
    expect({ ...parametersOf(main), ...parametersOf(dashboard) }).toEqual(parametersOf(api));
  });

  it('have each tag once', () => {
    const tags = committed.flatMap(({ document }) => document.tags.map(({ name }: Body) => name));
    expect(new Set(tags).size).toBe(tags.length);
  });

  it('make up the whole again', () => {
    const joined = joinDocuments(main, dashboard);
    const inOrder = (document: Body) => ({
      components: document.components,
      operations: new Map(
        operationsOf(document).map(({ key, parameters, ...operation }) => [
          key,
          { ...operation, parameters: new Set(parameters) },
        ]),
      ),
    });
    expect(inOrder(joined)).toEqual(inOrder(api));
  });

  it('are apart by who calls: what only sessions may call is not in openapi.json', () => {
    const onlyPeople = operationsOf(main).filter(({ security }) => security.length === 1 && 'Session' in security[0]);
    expect(onlyPeople.map(({ key }) => key)).toEqual([]);
    expect(operationsOf(dashboard).some(({ security }) => security.length === 1 && 'Session' in security[0])).toBe(
      true,
    );
    expect(operationsOf(main).filter(({ deprecated }) => deprecated)).toEqual([]);
  });

  it('say the scope of every route line in `security`, and nowhere else', () => {
    const operations = new Map(
      committed.flatMap(({ document }) => operationsOf(document)).map((each) => [each.key, each]),
    );
    const lines = Object.values(ROUTES)
      .flat()
      .flatMap((route) => (!isRaw(route) && route.access === 'scope' ? [route] : []));
    expect(lines.length).toBeGreaterThan(100);
    for (const route of lines) {
      const { security, description = '' } = operations.get(routeKey(route)) ?? expect.fail(routeKey(route));
      expect(security[0], routeKey(route)).toEqual({ Bearer: [route.scope] });
      expect(description, routeKey(route)).not.toContain(route.scope);
    }
  });
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
    expect(names).toEqual(
      expect.arrayContaining(['payments.create', 'reports.getPaymentStats', 'connections.setStatus']),
    );
    expect(names).toEqual(
      expect.arrayContaining(['logs.listConnectionAudit', 'workflows.listRules', 'webhooks.saveConfig']),
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

it('each event type has a schema of its own, and the webhook receives all of them', () => {
  const { AnyEvent: all, EventPayload: payload } = api.components.schemas;
  expect(Object.keys(all.discriminator.mapping)).toEqual([...EVENT_TYPES]);
  expect(new Set(Object.values(all.discriminator.mapping)).size).toBe(EVENT_TYPES.length);
  const { schema } = api.webhooks.event.post.requestBody.content['application/json'];
  expect(schema).toEqual({ $ref: '#/components/schemas/EventPayload' });
  expect(payload.allOf.map(({ $ref }: Body) => $ref.split('/').at(-1))).toEqual(['AnyEvent', 'EventDelivery']);
});

it('the words of each idempotency key say how a stored response is marked', () => {
  const { IdempotencyKey, OptionalIdempotencyKey } = api.components.parameters;
  for (const { description } of [IdempotencyKey, OptionalIdempotencyKey])
    expect(description).toContain('`Idempotency-Replayed: true`');
});

it('an error is described once, with the headers of every response', () => {
  const { Error: problem, ErrorPage: page } = api.components.responses;
  for (const { headers } of [problem, page]) expect(Object.keys(headers)).toEqual([...ERROR_HEADERS]);
  expect(ERROR_HEADERS).toEqual(expect.arrayContaining([...COMMON_HEADERS]));
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
