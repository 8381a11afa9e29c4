import * as z from 'zod';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  DeletedReply,
  Flag,
  IdParam,
  ListQuery,
  Name,
} from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('key');

/** Including repeated ones. */
const MAX_SCOPES_SENT = 100;
const Scopes = z
  .array(z.enum(SCOPES, `Must be one of ${SCOPES.join(', ')}.`), 'Must be a list of scopes.')
  .max(MAX_SCOPES_SENT, `Must have at most ${MAX_SCOPES_SENT} scopes.`)
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)));

/** Runs even if other fields are invalid, so that all errors are reported together. */
const always = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

export const CreateApiKeyBody = z
  .strictObject({
    name: Name,
    kind: z.enum(['service', 'secret', 'public'], 'Must be service, secret or public.').default('service'),
    scopes: Scopes.optional(),
    agent: Flag.optional(),
  })
  .refine(({ kind, scopes }) => kind === 'public' || scopes !== undefined, {
    path: ['scopes'],
    message: 'Must be a list of scopes.',
    when: always,
  })
  .refine(({ kind, scopes }) => kind !== 'public' || !scopes?.length, {
    path: ['scopes'],
    message: 'Must be empty for a public key.',
    when: always,
  })
  .refine(({ kind, agent }) => kind !== 'public' || agent !== true, {
    path: ['agent'],
    message: 'Must not be true for a public key.',
    when: always,
  })
  .transform((body) => ({ ...body, scopes: body.scopes ?? [] }))
  .meta({ id: 'CreateApiKey' });

export type CreateApiKeyInput = z.output<typeof CreateApiKeyBody>;

export const ListApiKeysQuery = ListQuery(
  {},
  { isPosition: (position) => isId('key', position), maxOffset: ANY_OFFSET },
);
export type ListApiKeysInput = z.output<typeof ListApiKeysQuery>;

/** Contains neither the key nor its hash. */
const ApiKeyReply = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['service', 'secret', 'public']),
    scopes: z.array(z.enum(SCOPES)).readonly(),
    created_at: z.string(),
    created_by: z.string().nullable(),
    agent: z.boolean(),
  })
  .meta({ id: 'ApiKey' });

const ListedApiKeyReply = ApiKeyReply.extend({
  last_used_at: z.string().nullable(),
}).meta({ id: 'ListedApiKey' });

export const CreatedApiKeyReply = ApiKeyReply.extend({ key: z.string() }).meta({ id: 'CreatedApiKey' });

export const ListApiKeysReply = z
  .object({
    api_keys: z.array(ListedApiKeyReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'ApiKeyList' });

/** What a program may want to know of its own key before it does anything. */
export const CurrentApiKeyReply = z
  .object({
    id: z.string(),
    org_id: z.string(),
    mode: z.enum(STAGE_NAMES),
    kind: z.enum(['service', 'secret', 'session']),
    scopes: z.array(z.enum(SCOPES)).readonly(),
    agent: z.boolean(),
  })
  .meta({ id: 'CurrentApiKey' });

export const RevokeApiKeyQuery = z.strictObject({
  descendants: z
    .enum(['true', 'false'], 'Must be true or false.')
    .default('false')
    .transform((text) => text === 'true'),
});
export type RevokeApiKeyInput = z.output<typeof RevokeApiKeyQuery>;

export const RevokedApiKeyReply = DeletedReply.extend({
  revoked_descendants: z.array(z.string()).readonly().optional(),
}).meta({ id: 'RevokedApiKey' });
