import { serveMcp } from '#functions/mcp/serve-mcp.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

/** It has no table and no secret: it calls the API with the key of its caller. */
export const mcpRoutes = [
  {
    method: 'POST',
    path: '/mcp',
    summary: 'Use this API as tools of an agent (Model Context Protocol)',
    operationId: 'sendMcpMessage',
    raw: serveMcp,
    stateless: true,
    errors: ['invalid_api_key', 'bad_origin', 'missing_role', 'rate_limited', 'service_unavailable'],
    responses: {
      200: {
        description: 'A message of JSON-RPC, as the Model Context Protocol defines it.',
        content: {
          'application/json': { schema: { type: 'object' } },
          'text/event-stream': { schema: { type: 'string' } },
        },
      },
      202: { description: 'The notification was taken.' },
    },
  },
] as const satisfies readonly RawRoute[];
