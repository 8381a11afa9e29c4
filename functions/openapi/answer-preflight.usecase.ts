import { endpointsAt } from '#functions/openapi/documented-endpoints.ts';
import { calledFromAnywhere } from '#functions/openapi/preflight-headers.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';

/**
 * What a browser asks before a page may call an endpoint. API Gateway could answer by itself, but alike for all of them,
 * and would override what our answers say. An endpoint that is for servers is told nothing, so that the browser refuses.
 */
export async function answerPreflight({ params, headers }: RawRequest): Promise<RawReply> {
  const endpoints = await endpointsAt(`/${params.proxy ?? ''}`);
  if (endpoints.length === 0) throw new AppError('route_not_found', 'There is no such endpoint.');
  const open = endpoints.filter(({ isPublic }) => isPublic).map(({ method }) => method);
  const allowed = open.includes(headers['access-control-request-method'] ?? '');
  return { status: 204, headers: allowed ? calledFromAnywhere(open) : {} };
}
