import * as z from 'zod';
import { SCOPES } from '#shared/domain/reference/scopes.catalog.ts';
import { ANY_OFFSET, IdParam, ListQuery, Name } from '#shared/http/schema/common.schema.ts';
import { isId } from '#shared/kernel/ids.ts';

export const ById = IdParam('key');

/** Repeated ones among them. */
const MOST_SCOPES_SENT = 100;
const Scopes = z
  .array(z.enum(SCOPES, `Must be one of ${SCOPES.join(', ')}.`), 'Must be a list of scopes.')
  .max(MOST_SCOPES_SENT, `Must name at most ${MOST_SCOPES_SENT} scopes.`)
  .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)));

/** Reported together with all other faults. */
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
    message: 'A public key has no scopes.',
    when: always,
  })
  .transform((body) => ({ ...body, scopes: body.scopes ?? [] }))
  .meta({
    id: 'CreateApiKey',
    description:
      'A public key has no scopes and opens only the public endpoints. The other kinds say theirs, in `scopes`; an empty list makes a key that opens nothing that asks for a scope.',
  });

export type CreateApiKeyInput = z.output<typeof CreateApiKeyBody>;

export const ListApiKeysQuery = ListQuery(
  {},
  { isPosition: (position) => isId('key', position), mostOffset: ANY_OFFSET },
);
export type ListApiKeysInput = z.output<typeof ListApiKeysQuery>;

/** Neither the key nor its hash: what is listed says only that it exists. */
const ApiKeyReply = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: z.enum(['service', 'secret', 'public']),
    scopes: z.array(z.enum(SCOPES)).readonly(),
    created_at: z.string(),
  })
  .meta({ id: 'ApiKey' });

const ListedApiKeyReply = ApiKeyReply.extend({
  last_used_at: z.string().nullable().describe('Null until it is used; of a public key up to an hour late.'),
}).meta({ id: 'ListedApiKey' });

export const CreatedApiKeyReply = ApiKeyReply.extend({ key: z.string() }).meta({
  id: 'CreatedApiKey',
  description: 'The only answer that shows `key`.',
});

export const ListApiKeysReply = z
  .object({
    api_keys: z.array(ListedApiKeyReply).readonly(),
    pagination: z.object({ limit: z.number(), offset: z.number(), total: z.number() }),
  })
  .meta({ id: 'ApiKeyList' });
