import { serveDashboard } from '#functions/dashboard/serve-dashboard.usecase.ts';
import type { RawRoute } from '#shared/http/route.ts';

const HTML = { 'text/html': { schema: { type: 'string' } } } as const;

/** The dashboard is the same for everybody: this function needs neither the table nor a secret. */
export const dashboardRoutes = [
  {
    method: 'GET',
    path: '/dashboard',
    summary: 'The dashboard, where members of an organization see and do everything',
    operationId: 'showDashboard',
    raw: serveDashboard,
    stateless: true,
    responses: {
      200: { description: 'The page. Its script calls this API with the session of the visitor.', content: HTML },
      304: { description: 'The page is still the one whose `ETag` was sent in `If-None-Match`.' },
    },
  },
  {
    method: 'GET',
    path: '/dashboard/{path+}',
    summary: 'A screen of the dashboard, or one of the files that it is made of',
    raw: serveDashboard,
    stateless: true,
    responses: { 200: { description: 'The page, a script, a style or a picture.' } },
  },
] as const satisfies readonly RawRoute[];
