import * as z from 'zod';
import { Text } from '#shared/http/schema/common.schema.ts';
import { trimPasted } from '#shared/kernel/text.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

const RESULT_TYPES = [
  'payment',
  'refund',
  'attempt',
  'dispute',
  'payment_link',
  'payment_method',
  'customer',
  'subscription',
  'invoice',
  'connection',
  'event',
  'workflow_run',
] as const;
export type ResultType = (typeof RESULT_TYPES)[number];

const FOUND_BY = ['id', 'psp_reference', 'customer_id', 'customer_email'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

/** A reference does not tell its provider. */
export const ALL_PROVIDERS = PROVIDERS;

const MAX_QUERY = 320;

export const SearchQuery = z.strictObject({
  q: Text(MAX_QUERY)
    .overwrite(trimPasted)
    .refine((text) => text !== '', 'Send what you look for: an id, a reference, a customer or an email address.')
    .meta({ example: 'ada@customer.example' }),
});
export type SearchQuery = z.output<typeof SearchQuery>;

export const SearchReply = z
  .object({
    results: z.array(
      z.object({
        type: z.enum(RESULT_TYPES),
        id: z.string(),
        found_by: z.enum(FOUND_BY),
        payment_id: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'SearchResults' });
export type SearchResult = z.output<typeof SearchReply>['results'][number];
