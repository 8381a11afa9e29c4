import * as z from 'zod';
import { Country } from '#shared/http/schema/common.schema.ts';

/** A field that was left empty. */
const blankIsNone = (text: unknown) => (typeof text === 'string' && text.trim() === '' ? undefined : text);

/** What customers fill in to start; a message names nothing, as the page has words of its own for each field. */
export const StartFields = z.object({
  method: z.string(),
  country: z.preprocess(blankIsNone, Country.optional()),
  email: z.preprocess((text) => (typeof text === 'string' ? blankIsNone(text.trim()) : text), z.email().max(320).optional()),
});
