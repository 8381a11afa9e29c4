import type { oas31 } from 'zod-openapi';
import { SESSION_COOKIE } from '#shared/domain/accounts/sign-in.model.ts';
import { MAX_ACTOR_LENGTH } from '#shared/http/request.ts';
import { HOUR } from '#shared/kernel/clock.ts';
import type { ErrorCode } from '#shared/kernel/errors.ts';
import { IDEMPOTENCY_KEY_LIFETIME } from '#shared/kernel/operation.ts';

type Header = { readonly description: string; readonly required?: boolean; readonly schema: oas31.SchemaObject };

const integer = { type: 'integer' } as const;
const text = { type: 'string' } as const;

export const HEADERS = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs: quote it to support.',
    required: true,
    schema: text,
  },
  'X-RateLimit-Limit': { description: 'Of the window that is closest to its limit.', required: true, schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in that window.', required: true, schema: integer },
  'X-RateLimit-Reset': { description: 'When that window ends, in Unix seconds.', required: true, schema: integer },
  'Retry-After': { description: 'Whole seconds, at least 1.', schema: integer },
  'X-Should-Retry': {
    description: '`true` where the same request, with the same idempotency key, may succeed later.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'WWW-Authenticate': { description: '`Bearer`, where a credential is missing or not valid (401).', schema: text },
  Allow: { description: 'The methods of the path, where another one was used (405).', schema: text },
  'Idempotency-Replayed': {
    description: '`true` where this is the stored response to an earlier request with the same key.',
    schema: { const: 'true' },
  },
  Location: { description: 'Where the new resource can be read.', schema: text },
  Link: { description: 'The next page, as `<…>; rel="next"`; missing on the last page.', schema: text },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof HEADERS;

/** Headers of every response. The document names them with the errors, and for all others in its prose. */
export const COMMON_HEADERS: readonly HeaderName[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export const ERROR_HEADERS: readonly HeaderName[] = [
  ...COMMON_HEADERS,
  'X-Should-Retry',
  'Retry-After',
  'WWW-Authenticate',
  'Allow',
  'Idempotency-Replayed',
];

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const KEY = [
  'Any text that is new for each operation; `X-Idempotency-Key` is the same header.',
  `Valid for ${IDEMPOTENCY_KEY_LIFETIME / HOUR} hours. A stored response has \`Idempotency-Replayed: true\`.`,
].join(' ');
const idempotencyKey = (required: boolean, description: string): oas31.ParameterObject => ({
  in: 'header',
  name: 'Idempotency-Key',
  description,
  required,
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  'x-error-codes': [
    'idempotency_key_invalid',
    'idempotency_in_progress',
    'idempotency_key_reused',
    ...(required ? (['idempotency_key_required'] as const) : []),
  ] satisfies readonly ErrorCode[],
});

const organization = (required: boolean, description: string): oas31.ParameterObject => ({
  in: 'header',
  name: 'X-Org-Id',
  description,
  required,
  schema: { type: 'string', pattern: '^org_[0-9a-z]+$' },
  'x-error-codes': ['org_id_required', 'org_mismatch'] satisfies readonly ErrorCode[],
});

export const PARAMETERS = {
  IdempotencyKey: idempotencyKey(true, KEY),
  OptionalIdempotencyKey: idempotencyKey(false, `${KEY} Without one, each request is a new operation.`),
  OrgId: organization(
    false,
    'The id of the organization. Required with `X-Service-Key` and with a session. A bearer key belongs to one ' +
      'organization: if it is sent with one, it must be the same.',
  ),
  OrgIdOfSession: organization(true, "The id of the organization: the user's role in it decides."),
  ActorId: {
    in: 'header',
    name: 'X-Actor-Id',
    description:
      'The user on whose behalf the request is made, for the audit log, which marks it as a claim. Only used with API ' +
      'keys; ignored when blank. `system` is refused: it names this service.',
    schema: { type: 'string', maxLength: MAX_ACTOR_LENGTH },
  },
} as const satisfies Readonly<Record<string, oas31.ParameterObject>>;

export const parameterRef = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

/** Endpoints with this scheme may be called from any web page. */
export const PUBLIC = 'PublicKey';

/** Endpoints with this scheme may be called from the dashboards' pages. */
export const SESSION = 'Session';

const OF_KEYS = [
  'invalid_api_key',
  'wrong_stage',
  'kyc_required',
  'organization_quarantined',
  'agent_not_allowed',
] as const satisfies readonly ErrorCode[];

export const SECURITY_SCHEMES = {
  Bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of any kind. It belongs to one organization.',
    'x-error-codes': [...OF_KEYS, 'missing_scope'],
  },
  ServiceKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Service-Key',
    description: 'An API key of any kind, together with the id of its organization as `X-Org-Id`.',
    'x-error-codes': [...OF_KEYS, 'missing_scope'],
  },
  [SESSION]: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description:
      "The signed-in user. Requests that change something must come from a dashboard's origin. Where an organization " +
      "is required, send its id as `X-Org-Id`; the user's role there decides.",
    'x-error-codes': ['invalid_session', 'bad_origin', 'missing_scope'],
  },
  [PUBLIC]: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A public key. It may be part of a web page: it gives access only to what the request also has the secret for.',
    'x-error-codes': [...OF_KEYS],
  },
} as const satisfies Readonly<Record<string, oas31.SecuritySchemeObject>>;
