import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];
const CATEGORIES = [...new Set(Object.values(ERROR_CODES).map(({ error }) => error))];

/** The body of every error; `toProblem` makes it. */
export const ProblemReply = z
  .object({
    error: z.enum(CATEGORIES),
    code: z.enum(CODES),
    message: z.string(),
    details: z
      .looseObject({
        fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
        more: z.int().min(1).optional(),
      })
      .optional(),
    retry_after: z.int().min(1).optional(),
    doc_url: z.url(),
  })
  .meta({ id: 'Problem' });
