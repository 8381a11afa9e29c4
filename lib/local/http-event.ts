import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { ApiEvent } from '#shared/http/request.ts';
import { decoded } from '#shared/http/route-match.ts';

/** The request's entry point. A function URL leaves the path encoded and has no routes. */
export type EntryPoint = 'api' | 'function-url';

type EventParts = {
  readonly entrance: EntryPoint;
  readonly message: IncomingMessage;
  readonly body: Buffer;
  /** `GET /v1/payments/{id}`, or `$default`. */
  readonly routeKey: string;
  readonly pathParameters: Readonly<Record<string, string>> | undefined;
  readonly requestId: string;
  readonly at: Date;
};

/** The request as AWS passes it to a function: payload format 2.0. */
export function httpEvent({ entrance, message, body, routeKey, pathParameters, requestId, at }: EventParts): ApiEvent {
  const [rawTarget = '/', rawQueryString = ''] = splitOnce(message.url ?? '/');
  const rawPath = entrance === 'api' ? decoded(rawTarget) : rawTarget;
  const { cookie } = message.headersDistinct;
  const headers = { ...endToEnd(message.headersDistinct), ...forwarded(message) };
  const cookies = cookie?.flatMap((line) => line.split(/;\s*/)).filter((text) => text !== '');
  const encode = body.length > 0 && !isText(message.headers['content-type'], body);
  const [domainName = ''] = (message.headers.host ?? '').split(':');
  return {
    version: '2.0',
    routeKey: entrance === 'api' ? routeKey : '$default',
    rawPath,
    rawQueryString,
    ...(cookies && cookies.length > 0 && { cookies }),
    headers,
    ...(rawQueryString !== '' && { queryStringParameters: joinedQuery(rawQueryString) }),
    ...(pathParameters && { pathParameters }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method: message.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${message.httpVersion}`,
        sourceIp: message.socket.remoteAddress ?? '',
        userAgent: message.headers['user-agent'] ?? '',
      },
      requestId,
      routeKey: entrance === 'api' ? routeKey : '$default',
      stage: '$default',
      time: clfTime(at),
      timeEpoch: at.getTime(),
    },
    ...(body.length > 0 && { body: body.toString(encode ? 'base64' : 'utf8') }),
    isBase64Encoded: encode,
  };
}

/** Hop-by-hop headers, which end here, and the cookies, which have a field of their own. */
const NO_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'cookie',
]);

function endToEnd(headers: NodeJS.Dict<string[]>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, values = []] of Object.entries(headers)) if (!NO_HEADERS.has(name)) passed[name] = values.join(',');
  return passed;
}

const forwarded = ({ headers, socket }: IncomingMessage): Record<string, string> => ({
  'x-forwarded-for': [headers['x-forwarded-for'] ?? [], socket.remoteAddress ?? ''].flat().join(', '),
  'x-forwarded-port': String(socket.localPort),
  'x-forwarded-proto': 'http',
});

function splitOnce(target: string): readonly [string, string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

function joinedQuery(raw: string): Record<string, string> {
  const values = Map.groupBy(new URLSearchParams(raw), ([name]) => name);
  return Object.fromEntries([...values].map(([name, pairs]) => [name, pairs.map(([, value]) => value).join(',')]));
}

const TEXT = /^(text\/.+|application\/(json|xml|javascript))$/;

/** Anything but JSON and text travels as base64, forms too, and so do bytes that are no valid text. */
function isText(contentType: string | undefined, body: Buffer): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  return TEXT.test(type.trim().toLowerCase()) && isUtf8(body);
}

/** `12/Mar/2020:19:03:58 +0000`, as access logs have it. */
function clfTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
