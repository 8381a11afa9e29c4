import { receiveCallback } from '#functions/psp-webhooks/receive-callback.usecase.ts';
import { CHANGE_ERRORS, type RawRoute } from '#shared/http/route.ts';

export const callbackRoutes = [
  {
    method: 'POST',
    path: '/webhooks/{provider}',
    summary: "Receive a provider's callback",
    operationId: 'receiveProviderCallback',
    raw: receiveCallback,
    errors: [
      'invalid_request',
      'webhook_unroutable',
      'invalid_signature',
      'not_found',
      'rate_limited',
      ...CHANGE_ERRORS,
      'provider_error',
    ],
    responses: {
      200: {
        description:
          'Handled, a repeat, or of a type that is not used. At the `callback_url` of a connection, with its query, ' +
          'also a verified event about a charge that was not made here. Adyen then gets `[accepted]`.',
        content: {
          'application/json': {
            schema: { type: 'object', required: ['received'], properties: { received: { const: true } } },
          },
          'text/plain': { schema: { const: '[accepted]' } },
        },
      },
    },
  },
] as const satisfies readonly RawRoute[];
