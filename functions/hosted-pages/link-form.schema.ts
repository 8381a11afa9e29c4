import * as z from 'zod';
import { Country } from '#shared/http/schema/common.schema.ts';

/** A field that was left empty. */
const blankIsNone = (text: unknown) => (typeof text === 'string' && text.trim() === '' ? undefined : text);

/** The start form; messages name no field, as the page has its own words for each. */
export const StartFields = z.object({
  method: z.string(),
  country: z.preprocess(blankIsNone, Country.optional()),
  email: z.preprocess(
    (text) => (typeof text === 'string' ? blankIsNone(text.trim()) : text),
    z.email().max(320).optional(),
  ),
});
