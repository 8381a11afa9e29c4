import type { PspAdapter } from '#shared/ports/psp.port.ts';
import { FlutterwaveToken } from '#shared/psp/flutterwave/token.schema.ts';

/** Flutterwave makes tokens of cards, and each can be charged again, for a year. */
export const keepsToken: PspAdapter['keepsToken'] = (token, method) =>
  method === 'card' && FlutterwaveToken.safeParse(token).success;
