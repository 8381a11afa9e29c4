import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];
const CATEGORIES = [...new Set(Object.values(ERROR_CODES).map(({ error }) => error))];

/** What every error answers; `toProblem` makes it. */
export const ProblemReply = z
  .object({
    error: z.enum(CATEGORIES),
    code: z.enum(CODES),
    message: z.string().meta({ description: 'For people; programs go by `code`.' }),
    details: z
      .looseObject({ fields: z.array(z.object({ path: z.string(), message: z.string() })).optional() })
      .optional()
      .meta({ description: '`fields` names every fault of an invalid request at once.' }),
    retry_after: z.int().min(1).optional().meta({ description: 'Whole seconds, as in the header `Retry-After`.' }),
  })
  .meta({ id: 'Problem' });
