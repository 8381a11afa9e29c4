import type * as z from 'zod';
import { inOurWords } from '#shared/domain/reference/fault-words.rules.ts';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

/** Reads a provider's credentials by their shape. Faults name the field and the form, never a value. */
export const credentialsReader =
  <C>(shape: z.ZodType<C>, provider: string, modeOf?: (credentials: C) => Stage): PspAdapter<C>['parseCredentials'] =>
  (input) => {
    const parsed = shape.safeParse(input, { error: inOurWords });
    if (parsed.success) return { ok: true, credentials: parsed.data, ...(modeOf && { mode: modeOf(parsed.data) }) };
    // An unknown name is not repeated: it may be a misplaced secret.
    const textOf = (code: string, message: string) =>
      code === 'unrecognized_keys' ? `Has fields that are not ${provider} credentials.` : message;
    return {
      ok: false,
      faults: parsed.error.issues.map(({ path, code, message }) => ({
        path: path.join('.'),
        message: textOf(code, message),
      })),
    };
  };
