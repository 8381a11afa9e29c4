import { readFileSync } from 'node:fs';
import type { AttributeValue as Attribute } from '@aws-sdk/client-dynamodb';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent, SQSEvent, SQSRecord } from 'aws-lambda';
import type { ApiEvent } from '#shared/http/request.ts';

const fixture = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/aws/${name}.json`, import.meta.url), 'utf8'));

type Request = {
  readonly path?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly base64?: boolean;
};

/** A request as API Gateway delivers it, on one of its routes. */
export function apiEvent(routeKey: string, { path, params, query, ...request }: Request = {}): ApiEvent {
  const event: ApiEvent = fixture('api-request');
  const [method = '', pattern = ''] = routeKey.split(' ');
  const rawPath = path ?? pattern.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? '');
  return {
    ...event,
    routeKey,
    rawPath,
    rawQueryString: new URLSearchParams(query).toString(),
    ...(query && { queryStringParameters: query }),
    ...(params && { pathParameters: params }),
    requestContext: {
      ...event.requestContext,
      routeKey,
      http: { ...event.requestContext.http, method, path: rawPath },
    },
    ...sent(event, request),
  };
}

/** A request as a function URL delivers it: without a route, with the path as it was sent. */
export function functionUrlEvent(method: string, rawPath: string, request: Request = {}): ApiEvent {
  const event: ApiEvent = fixture('function-url-request');
  const http = { ...event.requestContext.http, method, path: rawPath };
  return { ...event, rawPath, requestContext: { ...event.requestContext, http }, ...sent(event, request) };
}

function sent({ headers: usual }: ApiEvent, { headers, body, base64 = false }: Request) {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  return {
    headers: { ...usual, ...headers },
    ...(text !== undefined && { body: base64 ? Buffer.from(text).toString('base64') : text }),
    isBase64Encoded: base64,
  };
}

export type Change = {
  readonly key: Record<string, Attribute>;
  readonly old?: Record<string, Attribute>;
  readonly new?: Record<string, Attribute>;
  readonly seq?: string;
};

function eventNameOf(old: Change['old'], next: Change['new']): 'INSERT' | 'MODIFY' | 'REMOVE' {
  if (!old) return 'INSERT';
  return next ? 'MODIFY' : 'REMOVE';
}

/** Changes as the table's stream delivers them; without any, one that concerns no consumer. */
export function streamEvent(...changes: readonly Change[]): DynamoDBStreamEvent {
  const usual: DynamoDBRecord = fixture('stream-record');
  const record = ({ key, old, new: next, seq }: Change, n: number) => ({
    ...usual,
    eventName: eventNameOf(old, next),
    dynamodb: {
      ...usual.dynamodb,
      Keys: key,
      OldImage: old,
      NewImage: next,
      SequenceNumber: seq ?? `${BigInt(usual.dynamodb?.SequenceNumber ?? 0) + BigInt(n)}`,
    },
  });
  return { Records: changes.length > 0 ? (changes.map(record) as DynamoDBRecord[]) : [usual] };
}

/** A batch of messages of a queue; each is a body, as text or as an object for JSON. */
export function sqsEvent(...bodies: readonly unknown[]): SQSEvent {
  const usual: SQSRecord = fixture('sqs-record');
  return {
    Records: bodies.map((body, n) => ({
      ...usual,
      messageId: `message-${n}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  };
}

export const aContext = (awsRequestId = '8476a536-e9f4-11e8-9739-2dfe598c3fcd'): Context => ({
  awsRequestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'ServiceSandbox-payments',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:ServiceSandbox-payments',
  memoryLimitInMB: '1024',
  logGroupName: '/aws/lambda/ServiceSandbox-payments',
  logStreamName: '2026/03/01/[$LATEST]0a',
  getRemainingTimeInMillis: () => 29_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});
