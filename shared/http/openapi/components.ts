import type { oas31 } from 'zod-openapi';
import { SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';
import { LONGEST_ACTOR } from '#shared/http/actor.ts';

type Header = { readonly description: string; readonly required?: boolean; readonly schema: oas31.SchemaObject };

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;

export const HEADERS = {
  'X-Request-Id': { description: 'Names this request in our log.', required: true, schema: text },
  'X-RateLimit-Limit': { description: 'Of the window that is closest to its limit.', required: true, schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in that window.', required: true, schema: integer },
  'X-RateLimit-Reset': { description: 'When that window ends, in Unix seconds.', required: true, schema: integer },
  'Retry-After': { description: 'Whole seconds, at least 1.', schema: integer },
  'Idempotency-Replayed': {
    description: '`true` where this is the stored answer to an earlier request with the same key.',
    schema: { const: 'true' },
  },
  Location: { description: 'Where the new resource is read.', schema: text },
  Link: { description: 'The page after this one, as `<…>; rel="next"`; missing on the last one.', schema: text },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof HEADERS;

/** Headers of every answer. */
export const STAMPED: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const KEY = 'Any text that is new for each operation; `X-Idempotency-Key` is the same header. Valid for 24 hours.';
const idempotencyKey = (required: boolean, description: string): oas31.ParameterObject => ({
  in: 'header',
  name: 'Idempotency-Key',
  description,
  required,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
});

export const PARAMETERS = {
  IdempotencyKey: idempotencyKey(true, KEY),
  OptionalIdempotencyKey: idempotencyKey(false, `${KEY} Without one each request is an operation of its own.`),
  ActorId: {
    in: 'header',
    name: 'X-Actor-Id',
    description:
      'The user on whose behalf it is done, for the audit log. Counts with API keys only; a blank one is as none.',
    schema: { type: 'string', maxLength: LONGEST_ACTOR },
  },
} as const satisfies Readonly<Record<string, oas31.ParameterObject>>;

export const parameterRef = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

/** Endpoints with this scheme may be called from any web page. */
export const PUBLIC = 'PublicKey';

/** Endpoints with this scheme may be called from the dashboards' pages. */
export const SESSION = 'Session';

export const SECURITY_SCHEMES = {
  ServiceKey: { type: 'apiKey', in: 'header', name: 'X-Service-Key', description: 'An API key of any kind.' },
  OrgId: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Org-Id',
    description: 'The organization, named beside `X-Service-Key`.',
  },
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of any kind. It names its own organization; an `X-Org-Id` that is sent must agree.',
  },
  [SESSION]: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      "Whoever is signed in. What changes something must come from a dashboard's origin. Where an organization is asked for, `X-Org-Id` names it, and the user's role there decides.",
  },
  [PUBLIC]: {
    type: 'http',
    scheme: 'bearer',
    description: 'A public key: it may stand in a web page, as it opens nothing that the request brings no secret for.',
  },
} as const satisfies Readonly<Record<string, oas31.SecuritySchemeObject>>;
