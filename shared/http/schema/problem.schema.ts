import * as z from 'zod';
import { ERROR_CODES, type ErrorCode, MAX_FIELD_ERRORS } from '#shared/kernel/errors.ts';

const CODES = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];
const CATEGORIES = [...new Set(Object.values(ERROR_CODES).map(({ error }) => error))];

/** The body of every error; `toProblem` makes it. */
export const ProblemReply = z
  .object({
    error: z.enum(CATEGORIES),
    code: z.enum(CODES),
    message: z.string().meta({ description: 'For people; programs should use `code`.' }),
    details: z
      .looseObject({
        fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
        more: z.int().min(1).optional(),
      })
      .optional()
      .meta({
        description: [
          `\`fields\` lists the errors of an invalid request, at most ${MAX_FIELD_ERRORS};`,
          '`more` is the number of further errors.',
        ].join(' '),
      }),
    retry_after: z.int().min(1).optional().meta({ description: 'Whole seconds, as in the header `Retry-After`.' }),
  })
  .meta({ id: 'Problem' });
