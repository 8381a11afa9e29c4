import { MANDATE_TYPES } from '#shared/psp/mollie/capabilities.ts';
import { MollieToken } from '#shared/psp/mollie/token.schema.ts';

/** A customer's mandate is charged again and again; what a browser or a phone made is good for one payment. */
export function keepsToken(given: unknown, method: string): boolean {
  const token = MollieToken.safeParse(given);
  return token.success && typeof token.data !== 'string' && Object.hasOwn(MANDATE_TYPES, method);
}
