import { cookiesOf } from '#shared/http/cookies.ts';
import { type ApiEvent, type ApiResult, bodyOf, sourceIp } from '#shared/http/request-state.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';

export const rawRequestOf = (event: ApiEvent): RawRequest => ({
  headers: event.headers,
  rawBody: bodyOf(event),
  query: event.queryStringParameters ?? {},
  params: event.pathParameters ?? {},
  cookies: cookiesOf(event),
  ip: sourceIp(event),
});

export const rawResult = ({ status, headers, cookies, body = '' }: RawReply): ApiResult => ({
  statusCode: status,
  headers: { ...headers },
  ...(cookies && { cookies: [...cookies] }),
  body,
});
