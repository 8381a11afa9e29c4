import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeApi, openApiTexts } from '#functions/openapi/describe-api.ts';
import { ROUTES } from '#functions/route-table.ts';
import { DOCUMENT_NAMES } from '#shared/domain/reference/api-documents.rules.ts';
import { documentedErrors } from '#shared/http/openapi/documented-errors.ts';
import { isRaw, routeKey } from '#shared/http/route.ts';
import { PSPS } from '#shared/psp/providers.ts';
import { aPaymentBody, type Body } from '#test/support/host.ts';

const KEYS = Object.values(ROUTES)
  .flat()
  .filter(({ method, path }) => method !== 'OPTIONS' && !path.endsWith('+}'))
  .map(routeKey);
const HTTP_METHODS = ['get', 'post', 'patch', 'delete'];

let api: Body;
beforeAll(async () => {
  api = JSON.parse(JSON.stringify(await describeApi()));
});

type Operation = { readonly key: string; readonly path: string; readonly operation: Body };
const operations = (): readonly Operation[] =>
  Object.entries<Body>(api.paths).flatMap(([path, item]) =>
    Object.entries<Body>(item).map(([method, operation]) => ({
      key: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );

/** Every object in the document, with its path. */
function* nodes(node: Body, place = '#'): Generator<readonly [string, Body]> {
  if (typeof node !== 'object' || node === null) return;
  yield [place, node];
  for (const [name, inner] of Object.entries(node)) yield* nodes(inner, `${place}/${name}`);
}

/** Every property of every schema. */
function properties() {
  const named = [...nodes(api)].filter(
    ([place]) => place.endsWith('/properties') && !place.endsWith('/properties/properties'),
  );
  return named.flatMap(([place, all]) =>
    Object.entries<Body>(all).map(([name, shape]) => {
      const either = [shape, ...(shape.anyOf ?? [])];
      return {
        name,
        place: `${place}/${name}`,
        types: either.flatMap(({ type }) => type ?? []),
        formats: either.map(({ format }) => format),
      };
    }),
  );
}

const at = (ref: string): Body =>
  ref
    .split('/')
    .slice(1)
    .reduce((node: Body, name) => node?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], api);
const resolved = (node: Body): Body => (node.$ref ? at(node.$ref) : node);

it.each(DOCUMENT_NAMES)('the committed %s.json matches the route table; npm run openapi updates it', async (name) => {
  const committed = readFileSync(new URL(`../../../${name}.json`, import.meta.url), 'utf8');
  expect(committed === (await openApiTexts())[name]).toBe(true);
});

it('the API documents are the same each time they are generated', async () =>
  expect(await openApiTexts()).toEqual(await openApiTexts()));

it('the API description has every route of the table and no other', () =>
  expect(
    operations()
      .map(({ key }) => key)
      .sort(),
  ).toEqual([...KEYS].sort()));

it('the API document lists every error code of a route line among those of its operation', () => {
  const documented = new Map(operations().map(({ key, operation }) => [key, documentedErrors(operation, api)]));
  const lines = Object.values(ROUTES).flat();
  const missing = lines.flatMap((route) =>
    (isRaw(route) && route.page ? [] : (route.errors ?? []))
      .filter((code) => !documented.get(routeKey(route))?.includes(code))
      .map((code) => `${routeKey(route)} ${code}`),
  );
  expect(lines.flatMap(({ errors = [] }) => errors).length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

it('the API document shows the credentials of every provider', () => {
  const { mapping } = api.components.schemas.ProviderConnection.discriminator;
  const names = Object.values<string>(mapping).map((variant) =>
    at(variant).properties.credentials.$ref.split('/').at(-1).toLowerCase(),
  );
  expect(names).toEqual(
    Object.keys(PSPS)
      .sort()
      .map((provider) => `${provider}credentials`),
  );
});

describe('the rules of OpenAPI 3.1', () => {
  it('gives each operation a unique id, a summary and a declared tag', () => {
    const all = operations().map(({ operation }) => operation);
    const tags = api.tags.map(({ name }: Body) => name);
    expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
    expect(
      all.filter(
        ({ operationId, summary, tags: own }) =>
          !/^[a-zA-Z]\w+$/.test(operationId) || !summary || !own.every((tag: string) => tags.includes(tag)),
      ),
    ).toEqual([]);
  });

  it('has only HTTP methods', () =>
    expect(
      Object.values<Body>(api.paths).flatMap((item) =>
        Object.keys(item).filter((method) => !HTTP_METHODS.includes(method)),
      ),
    ).toEqual([]));

  it('resolves every reference', () => {
    const lost = [...nodes(api)].filter(
      ([, { $ref }]) => typeof $ref === 'string' && (!$ref.startsWith('#/components/') || at($ref) === undefined),
    );
    expect(lost.map(([place]) => place)).toEqual([]);
  });

  it('uses every component', () => {
    const used = new Set([...nodes(api)].map(([, { $ref }]) => $ref));
    const { securitySchemes: _, ...kinds } = api.components;
    const names = Object.entries<Body>(kinds).flatMap(([kind, all]) =>
      Object.keys(all).map((name) => `#/components/${kind}/${name}`),
    );
    expect(names.filter((name) => !used.has(name))).toEqual([]);
    expect(names.filter((name) => !/^#\/components\/\w+\/[a-zA-Z0-9._-]+$/.test(name))).toEqual([]);
  });

  it('requires exactly the path parameters of the template, each once', () => {
    for (const { path, operation } of operations()) {
      const parameters: readonly Body[] = operation.parameters.map(resolved);
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{[^}]+\}/g) ?? []);
      expect(inPath.every(({ required }) => required === true)).toBe(true);
      expect(parameters.every(({ name, schema }) => name && schema)).toBe(true);
      expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size).toBe(parameters.length);
    }
  });

  it('describes every response, and has a success for each operation', () => {
    for (const { operation } of operations()) {
      const answers = Object.entries<Body>(operation.responses);
      expect(
        answers.every(([status, answer]) => /^([1-5]\d\d|[1-5]XX)$/.test(status) && resolved(answer).description),
      ).toBe(true);
      expect(answers.some(([status]) => /^[23]/.test(status))).toBe(true);
    }
  });

  it('requires only declared security schemes', () => {
    const asked = operations().flatMap(({ operation }) =>
      operation.security.flatMap((either: Body) => Object.keys(either)),
    );
    expect([...new Set(asked)].filter((name) => !api.components.securitySchemes[name])).toEqual([]);
  });

  it('writes JSON Schema of 2020-12 that compiles', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...api, $id: 'api' });
    const schemas = [...nodes(api)].filter(
      ([place]) => /\/schemas\/\w+$|\/schema$/.test(place) && !place.includes('/schema/'),
    );
    expect(schemas.length).toBeGreaterThan(100);
    expect(schemas.filter(([, schema]) => !ajv.validateSchema(schema)).map(([place]) => place)).toEqual([]);
    for (const name of Object.keys(api.components.schemas))
      expect(ajv.getSchema(`api#/components/schemas/${name}`)).toBeTypeOf('function');
  });
});

describe('an operation in the API document', () => {
  const of = (key: string): Body => operations().find((each) => each.key === key)?.operation;
  const parameter = (key: string, name: string): Body =>
    of(key)
      .parameters.map(resolved)
      .find((each: Body) => each.name === name);
  const codes = (key: string): readonly string[] => documentedErrors(of(key), api);
  const organization = (key: string): Body => parameter(key, 'X-Org-Id');

  it('accepts a bearer key first, or a service key, each with the scope, or a session', () =>
    expect(of('GET /v1/payments').security).toEqual([
      { Bearer: ['payments:read'] },
      { ServiceKey: [] },
      { Session: [] },
    ]));

  it('accepts only a session where members are required, and no credential where anyone may call', () => {
    expect(of('GET /v1/platform/organizations').security).toEqual([{ Session: [] }]);
    expect(of('GET /v1/members').security).toEqual([{ Session: [] }]);
    expect(of('POST /v1/auth/magic-link').security).toEqual([]);
  });

  it('takes the organization as a header, which is required where only a session is accepted', () => {
    expect(organization('GET /v1/payments')).toMatchObject({ in: 'header', required: false });
    expect(organization('GET /v1/members')).toMatchObject({ in: 'header', required: true });
    expect(organization('GET /v1/platform/organizations')).toBeUndefined();
    expect(Object.keys(api.components.securitySchemes)).toEqual(['Bearer', 'PublicKey', 'ServiceKey', 'Session']);
  });

  it.each(
    Object.values(ROUTES)
      .flat()
      .filter((route) => !isRaw(route)),
  )('of $method $path requires an idempotency key as its route line says', (route) => {
    if (isRaw(route)) return;
    const wanted = { required: true, in_record: true, optional: false, none: undefined }[route.idempotency];
    expect(parameter(routeKey(route), 'Idempotency-Key')?.required).toBe(wanted);
  });

  it('accepts a public key where any page may call, without a scope', () => {
    const { security, description, parameters } = of('POST /v1/payments/{id}/confirm-intent');
    expect(security).toEqual([{ PublicKey: [] }, { Bearer: [] }, { ServiceKey: [] }, { Session: [] }]);
    expect(description).toMatch(/^Takes every key of the organization, also a public one, and requires no scope\./);
    expect(parameters.map((each: Body) => resolved(each).name).sort()).toEqual(['Idempotency-Key', 'X-Org-Id', 'id']);
    expect(codes('POST /v1/payments/{id}/confirm-intent')).toEqual(
      expect.arrayContaining(['bad_origin', 'org_mismatch', 'kyc_required', 'organization_quarantined']),
    );
    expect(
      operations().filter(({ operation }) => JSON.stringify(operation.security).includes('PublicKey')),
    ).toHaveLength(1);
  });

  it('documents numbers in a query as numbers', () =>
    expect(parameter('GET /v1/payments', 'limit').schema).toMatchObject({
      type: 'integer',
      minimum: 1,
      maximum: 200,
      default: 50,
    }));

  it('lists the error codes of its own use case', () => {
    expect(of('POST /v1/payments/{id}/refund')['x-error-codes']).toContain('payment_not_refundable');
    expect(codes('POST /v1/payments')).not.toContain('payment_not_refundable');
    expect(codes('POST /v1/payments')).toContain('idempotency_key_required');
    expect(codes('POST /v1/routing/ab-tests')).not.toContain('idempotency_key_required');
    expect(codes('GET /v1/payments')).not.toContain('idempotency_key_reused');
  });

  it('documents numbers without fractions as integers', () => {
    const FRACTIONS = [
      'percentage',
      'traffic_percentage',
      'success_rate',
      'success_rate_diff',
      'confidence_level',
      'churn_rate',
      'mrr_churn_rate',
      'fee',
      'method_bias',
      'share',
    ];
    const numbers = properties().filter(({ types }) => types.includes('number'));
    expect([...new Set(numbers.map(({ name }) => name))].sort()).toEqual(FRACTIONS.sort());
    expect(api.components.schemas.FraudPolicy.properties.max_amount.additionalProperties.type).toBe('integer');
  });

  it('documents text fields with a time as date-time', () => {
    const moments = properties().filter(
      ({ name, types }) => /(_at|_start|_end)$|^(at|since|until)$/.test(name) && types.includes('string'),
    );
    expect(moments.length).toBeGreaterThan(60);
    expect(moments.filter(({ formats }) => !formats.includes('date-time')).map(({ place }) => place)).toEqual([]);
  });

  it('has a Location header where the created resource can be read', () => {
    const made = operations().filter(({ operation }) => operation.responses[201]);
    const located = made.filter(({ operation }) => operation.responses[201].headers?.Location).map(({ key }) => key);
    const unread = [
      'POST /v1/api-keys',
      'POST /v1/auth/webauthn/register/finish',
      'POST /v1/members',
      'POST /v1/platform/admins',
    ];
    const others = made.map(({ key }) => key).filter((key) => !located.includes(key));
    expect(others.sort()).toEqual(unread);
  });

  it('describes the format of texts in prose and as a pattern', () => {
    const { VelocityRule, SaveRetryPolicy, ConfigureWebhook, CreateRoutingRule, SaveConnection, EventList } =
      api.components.schemas;
    const lengths = [VelocityRule.properties.window, SaveRetryPolicy.properties.delays.items];
    for (const { pattern, description } of lengths) {
      expect(['10m', '30d', '1h'].map((text) => new RegExp(pattern).test(text))).toEqual([true, true, true]);
      expect(['', '0m', '10', 'm', '1.5h', '10 m', '1w'].filter((text) => new RegExp(pattern).test(text))).toEqual([]);
      expect(description).toContain('30d');
    }
    expect([lengths[0].pattern, lengths[1].pattern].map((pattern) => new RegExp(pattern).test('30s'))).toEqual([
      true,
      false,
    ]);
    expect(ConfigureWebhook.properties.url.description).toContain('https');
    const name = resolved(CreateRoutingRule.properties.name);
    expect(name).toMatchObject({ minLength: 1, maxLength: 200 });
    expect(new RegExp(name.pattern).test(' \t ')).toBe(false);
    expect(SaveConnection.description).toContain('`credentials`');
    expect(EventList.description).toContain('fewer than `limit`');
  });

  it('lists the body errors of a GET too', () => {
    const ofBodies = [
      'invalid_request',
      'malformed_json',
      'unsupported_content_type',
      'raw_card_data',
      'body_too_large',
    ];
    expect(codes('GET /v1/payments')).toEqual(expect.arrayContaining(ofBodies));
  });

  it('accepts the request bodies that clients send', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.addSchema({ ...api, $id: 'api' }).getSchema('api#/components/schemas/CreatePayment');
    expect(validate?.(aPaymentBody('ok', { metadata: { order: 7 }, country: 'de' }))).toBe(true);
    expect(validate?.(aPaymentBody('ok', { colour: 'red' }))).toBe(false);
    expect(validate?.(aPaymentBody('ok', { amount: 1.5 }))).toBe(false);
  });
});
