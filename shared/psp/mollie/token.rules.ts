import { MANDATE_TYPES } from '#shared/psp/mollie/capabilities.ts';
import { MollieToken } from '#shared/psp/mollie/token.schema.ts';

/** A customer's mandate can be charged repeatedly; a browser's or phone's token pays once. */
export function keepsToken(given: unknown, method: string): boolean {
  const token = MollieToken.safeParse(given);
  return token.success && typeof token.data !== 'string' && Object.hasOwn(MANDATE_TYPES, method);
}
