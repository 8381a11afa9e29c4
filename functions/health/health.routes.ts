import { receiveProbeEvent } from '#functions/health/receive-probe-event.usecase.ts';
import { reportHealth } from '#functions/health/report-health.usecase.ts';
import { PROBE_PATH, PROBE_STATES } from '#shared/domain/reference/probe.rules.ts';
import { STAGE_NAMES } from '#shared/domain/reference/stage.model.ts';
import type { RawRoute } from '#shared/http/route.ts';

const text = (description: string) => ({ type: 'string', description }) as const;

export const healthRoutes = [
  {
    method: 'GET',
    path: '/health',
    summary: 'Whether the service works',
    operationId: 'getHealth',
    raw: reportHealth,
    stateless: true,
    errors: ['service_unavailable'],
    responses: {
      200: {
        description: 'It works, and reaches its store. Nobody counts these requests.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['status', 'stage', 'version'],
              properties: {
                status: { const: 'ok' },
                stage: { enum: [...STAGE_NAMES] },
                version: text('Which build of the service this is. Another one has another text.'),
                probe: {
                  enum: [...PROBE_STATES],
                  description: "Whether the service's own probe has an organization, and so can run.",
                },
              },
            },
          },
        },
      },
    },
  },
  {
    method: 'POST',
    path: PROBE_PATH,
    summary: "Receive an event of the service's own probe",
    raw: receiveProbeEvent,
    stateless: true,
    errors: ['invalid_signature'],
    responses: { 204: { description: 'The event is signed by this service.' } },
  },
] as const satisfies readonly RawRoute[];
