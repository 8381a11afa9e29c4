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

/** Of two of one name the first counts: browsers send that of the longer path first. */
function cookiesOf({ cookies = [] }: ApiEvent): Readonly<Record<string, string>> {
  const pairs = cookies.map((text) => {
    const mark = text.indexOf('=');
    return [text.slice(0, mark).trim(), text.slice(mark + 1).trim()] as const;
  });
  return Object.fromEntries(pairs.toReversed());
}

export const rawResult = ({ status, headers, cookies, body = '' }: RawReply): ApiResult => ({
  statusCode: status,
  headers: { ...headers },
  ...(cookies && { cookies: [...cookies] }),
  body,
});
