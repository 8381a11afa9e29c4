import { receiveCallback } from '#functions/psp-webhooks/receive-callback.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

export const callbackRoutes: readonly RawRoute[] = [
  { method: 'POST', path: '/webhooks/{provider}', summary: 'Receive a provider’s callback', raw: receiveCallback },
];
