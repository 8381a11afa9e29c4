import * as z from 'zod';
import { SCOPES } from '#shared/domain/reference/access.catalog.ts';
import {
  ANY_OFFSET,
  CountedPagination,
  DeletedReply,
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
  .transform((body) => ({ ...body, scopes: body.scopes ?? [] }))
  .meta({
    id: 'CreateApiKey',
    description:
      'A public key has no scopes and can call the public endpoints only. The other kinds need `scopes`; ' +
      'with an empty list a key can call no endpoint that requires a scope.',
  });

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
    created_by: z
      .string()
      .nullable()
      .describe('The API key or the user that created it, or `system`. `null` if that was not recorded.'),
  })
  .meta({ id: 'ApiKey' });

const ListedApiKeyReply = ApiKeyReply.extend({
  last_used_at: z.string().nullable().describe('`null` until it is used. For a public key up to an hour late.'),
}).meta({ id: 'ListedApiKey' });

export const CreatedApiKeyReply = ApiKeyReply.extend({ key: z.string() }).meta({
  id: 'CreatedApiKey',
  description: 'The only response that contains `key`.',
});

export const ListApiKeysReply = z
  .object({
    api_keys: z.array(ListedApiKeyReply).readonly(),
    pagination: CountedPagination,
  })
  .meta({ id: 'ApiKeyList' });

export const RevokeApiKeyQuery = z.strictObject({
  descendants: z
    .enum(['true', 'false'], 'Must be true or false.')
    .default('false')
    .transform((text) => text === 'true')
    .describe(
      '`true` also revokes the keys that this key created, those that they created, and so on: also if the key itself ' +
        'was revoked before. Keys of which it was not recorded who created them stay.',
    ),
});
export type RevokeApiKeyInput = z.output<typeof RevokeApiKeyQuery>;

export const RevokedApiKeyReply = DeletedReply.extend({
  revoked_descendants: z.array(z.string()).readonly().optional().describe('The ids, if `descendants` was `true`.'),
}).meta({ id: 'RevokedApiKey' });
