import * as z from 'zod';
import { Text } from '#shared/http/schema/common.schema.ts';
import { trimPasted } from '#shared/kernel/text.ts';
import { PROVIDERS } from '#shared/psp/providers.ts';

const RESULT_TYPES = [
  'payment',
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
    .meta({
      description:
        "An id of this API, a provider's reference of a charge or a dispute, a `customer_id`, or a customer's email " +
        'address. It must be whole: parts of words are not found.',
    }),
});
export type SearchQuery = z.output<typeof SearchQuery>;

export const SearchReply = z
  .object({
    results: z.array(
      z.object({
        type: z.enum(RESULT_TYPES),
        id: z.string(),
        found_by: z.enum(FOUND_BY),
        payment_id: z.string().nullable().meta({ description: 'The payment that it is, or that it belongs to.' }),
      }),
    ),
  })
  .meta({
    id: 'SearchResults',
    description:
      'What this organization has with exactly this id, reference, customer or address. Of a customer these are the ' +
      'newest. Kinds that the caller may not read are left out. Refunds, captures and attempts are found with their ' +
      'payment.',
  });
export type SearchResult = z.output<typeof SearchReply>['results'][number];
