import {
  componentIn,
  describing,
  isObject,
  type Json,
  pascalCase,
  propertyIn,
  refTo,
  schemasOf,
  withSchemas,
} from '#functions/openapi/structure/json.ts';
import type { OpenApiDocument } from '#shared/http/openapi/document.ts';

/**
 * Bodies whose fields depend on one of them. The shapes check that with rules of their own, which have no words in a
 * schema; here each case becomes a component, so that a reader and a compiler see which fields belong together.
 */
export function withVariants(document: OpenApiDocument): OpenApiDocument {
  const schemas = schemasOf(document);
  return withSchemas(document, {
    ...schemas,
    ...connectionVariants(schemas),
    ...integrationVariants(schemas),
    ...apiKeyVariants(schemas),
    ...paymentMethodVariants(schemas),
  });
}

const NEVER = { not: {} } as const;

const properties = (schema: Json): Json => (isObject(schema.properties) ? schema.properties : {});
const pick = (schema: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, propertyIn(schema, name)]));
const omit = (schema: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(properties(schema)).filter(([name]) => !names.includes(name)));

const strict = (fields: Json, required: readonly string[], more: Json = {}): Json => ({
  ...more,
  type: 'object',
  properties: fields,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** `cases`: the component for each value of the property. */
function oneOf(cases: Readonly<Record<string, string>>, propertyName: string): Json {
  const mapping = Object.entries(cases).map(([value, name]) => [value, refTo(name).$ref]);
  return {
    oneOf: [...new Set(Object.values(cases))].map(refTo),
    discriminator: { propertyName, mapping: Object.fromEntries(mapping) },
  };
}

/** The credentials of a connection are those of its provider. Without a provider, the connection exists already. */
function connectionVariants(schemas: Json): Json {
  const save = componentIn(schemas, 'SaveConnection');
  const { provider, credentials } = properties(save) as Readonly<Record<string, Json>>;
  const providers = (provider?.enum ?? []) as readonly string[];
  const cases = Object.fromEntries(providers.map((each) => [each, `${pascalCase(each)}Connection`]));
  const variants = Object.entries(cases).map(([each, name]) => [
    name,
    {
      type: 'object',
      properties: { provider: { const: each }, credentials: refTo(`${pascalCase(each)}Credentials`) },
      required: ['provider'],
    },
  ]);
  return {
    ...Object.fromEntries(variants),
    ProviderConnection: oneOf(cases, 'provider'),
    ExistingConnection: {
      type: 'object',
      properties: { id: { type: 'string' }, provider: NEVER, credentials },
      required: ['id'],
    },
    ConnectionSettings: { type: 'object', properties: omit(save, ['provider', 'credentials']) },
    SaveConnection: {
      ...describing(save),
      allOf: [refTo('ConnectionSettings'), { anyOf: [refTo('ProviderConnection'), refTo('ExistingConnection')] }],
      unevaluatedProperties: false,
    },
  };
}

const CONFIGS = {
  http: { fields: ['url', 'headers'], required: ['url'] },
  slack: { fields: ['url'], required: ['url'] },
  email: { fields: ['to'], required: ['to'] },
} as const;

function integrationVariants(schemas: Json): Json {
  const create = componentIn(schemas, 'CreateIntegration');
  const config = componentIn(schemas, 'IntegrationConfig');
  const cases = Object.fromEntries(Object.keys(CONFIGS).map((type) => [type, `Create${pascalCase(type)}Integration`]));
  const variants = Object.entries(CONFIGS).flatMap(([type, { fields, required }]) => [
    [`${pascalCase(type)}IntegrationConfig`, strict(pick(config, fields), required)],
    [
      cases[type] ?? '',
      strict({ ...properties(create), type: { const: type }, config: refTo(`${pascalCase(type)}IntegrationConfig`) }, [
        'name',
        'type',
        'config',
      ]),
    ],
  ]);
  return { ...Object.fromEntries(variants), CreateIntegration: { ...describing(create), ...oneOf(cases, 'type') } };
}

/** A public key has no scopes, and is not for agents. Without a kind it is a service key. */
function apiKeyVariants(schemas: Json): Json {
  const create = componentIn(schemas, 'CreateApiKey');
  const { description } = propertyIn(create, 'kind');
  const kind = (values: Json): Json => ({ ...values, ...(description !== undefined && { description }) });
  const noScopes = { ...propertyIn(create, 'scopes'), maxItems: 0 };
  const cases = { service: 'CreateServerKey', secret: 'CreateServerKey', public: 'CreatePublicKey' };
  return {
    CreateDefaultKey: strict(omit(create, ['kind']), ['name', 'scopes']),
    CreateServerKey: strict({ ...properties(create), kind: kind({ type: 'string', enum: ['service', 'secret'] }) }, [
      'name',
      'kind',
      'scopes',
    ]),
    CreatePublicKey: strict({ ...omit(create, ['agent']), kind: kind({ const: 'public' }), scopes: noScopes }, [
      'name',
      'kind',
    ]),
    CreateKeyOfKind: oneOf(cases, 'kind'),
    CreateApiKey: { ...describing(create), anyOf: [refTo('CreateKeyOfKind'), refTo('CreateDefaultKey')] },
  };
}

/** A payment method is new, or one that was saved. */
function paymentMethodVariants(schemas: Json): Json {
  const method = componentIn(schemas, 'PaymentMethod');
  return {
    NewPaymentMethod: strict(omit(method, ['id']), ['type']),
    SavedPaymentMethodChoice: strict(pick(method, ['id', 'type', 'tokens', 'return_url']), ['id']),
    PaymentMethod: { ...describing(method), oneOf: [refTo('NewPaymentMethod'), refTo('SavedPaymentMethodChoice')] },
  };
}
