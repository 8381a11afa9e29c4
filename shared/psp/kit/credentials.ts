import * as z from 'zod';
import type { Stage } from '#shared/domain/reference/stage.model.ts';
import { validationMessage } from '#shared/domain/reference/validation-messages.rules.ts';
import type { PspAdapter } from '#shared/ports/psp.port.ts';

/** A text field of a provider's credentials. The error message names the expected form, never the value. */
export const credentialText = (pattern: RegExp, form: string, maxLength = 300) =>
  z.string(`Must be ${form}.`).max(maxLength, `Must be ${form}.`).regex(pattern, `Must be ${form}.`);

const MAX_SECRETS = 5;

/** A secret, or a list of them while one replaces another. */
export function rotatingSecret(pattern: RegExp, form: string, maxLength?: number) {
  const secret = credentialText(pattern, form, maxLength);
  return z.union(
    [secret, z.array(secret).min(1).max(MAX_SECRETS)],
    `Must be ${form}, or a list of up to ${MAX_SECRETS}.`,
  );
}

/** Validates credentials by their shape. Errors name the field and its expected form, never a value. */
export const credentialsParser =
  <C>(shape: z.ZodType<C>, provider: string, modeOf?: (credentials: C) => Stage): PspAdapter<C>['parseCredentials'] =>
  (input) => {
    const parsed = shape.safeParse(input, { error: validationMessage });
    if (parsed.success) return { ok: true, credentials: parsed.data, ...(modeOf && { mode: modeOf(parsed.data) }) };
    // An unknown field's name is not repeated: it may be a misplaced secret.
    const messageOf = (code: string, message: string) =>
      code === 'unrecognized_keys' ? `Has fields that are not ${provider} credentials.` : message;
    return {
      ok: false,
      faults: parsed.error.issues.map(({ path, code, message }) => ({
        path: path.join('.'),
        message: messageOf(code, message),
      })),
    };
  };
