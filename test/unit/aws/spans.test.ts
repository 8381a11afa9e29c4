import { createServer, type Server } from 'node:http';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, Context, SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eachMessage, sqsHandler } from '#shared/adapters/aws/sqs-consumer.adapter.ts';
import { exchange } from '#shared/adapters/net/exchange.ts';
import { makeWebhookHttp } from '#shared/adapters/net/webhook-https.adapter.ts';
import { lambdaHandler } from '#shared/container/lambda-handler.ts';
import { traced } from '#shared/http/request.ts';
import { systemClock } from '#shared/kernel/clock.ts';
import { newId } from '#shared/kernel/ids.ts';
import type { SpanMode } from '#shared/kernel/spans.ts';
import type { LogPort } from '#shared/ports/log.port.ts';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';

type Line = Readonly<Record<string, unknown>> & { readonly message: string };

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const CONTEXT = { awsRequestId: 'lambda-1' } as Context;

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/broken' ? 500 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${Object(server.address()).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** A function on Lambda with these settings, and what it has written so far. */
function aFunction<E, R>(traces: SpanMode, make: (log: LogPort) => (event: E, context: Context) => Promise<R>) {
  const key = 'arn:aws:kms:eu-west-1:123456789012:key/0a';
  const queue = 'https://sqs.eu-west-1.amazonaws.com/1/queue';
  const variables = {
    ...{ STAGE: 'sandbox', API_URL: 'https://api.example.com', OTHER_STAGE_URL: 'the live stage', TRACES: traces },
    ...{ TABLE_NAME: 'service', BUS_NAME: 'events', PSP_KEY_ARN: key, SECRETS_KEY_ARN: key },
    ...{ QUEUE_URL_WEBHOOK_DELIVERY: queue, QUEUE_URL_SLOW_DELIVERIES: queue, QUEUE_URL_TIMERS: queue },
    ...{ QUEUE_URL_RENEWALS: queue, QUEUE_URL_WORKFLOW_RUNS: queue },
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const written: Line[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(JSON.parse(String(text))) > 0);
  const handler = lambdaHandler((_, log) => async () => log, make);
  return {
    invoke: (event: E) => handler(event, CONTEXT),
    spans: () => written.filter(({ message }) => message === 'span'),
    metrics: () => written.filter(({ message }) => message === 'metrics'),
  };
}

const aRequest = (headers: Readonly<Record<string, string>> = {}) =>
  ({
    routeKey: 'POST /v1/payments',
    headers,
    requestContext: { requestId: 'gateway-1', http: { method: 'POST', path: '/v1/payments', sourceIp: '192.0.2.1' } },
  }) as unknown as APIGatewayProxyEventV2;

/** A request that reads the table, calls a provider, and ends with this status. */
const serving = (traces: SpanMode, statusCode: number) =>
  aFunction(traces, (log) =>
    traced(
      async () => {
        const client = dynamoClient({
          endpoint: base,
          region: 'eu-west-1',
          credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        });
        await client.send(new GetItemCommand({ TableName: 'service', Key: { pk: { S: 'secret-of-a-path' } } }));
        await exchange({ url: `${base}/v1/charges?key=secret`, method: 'POST', timeoutMs: 5_000 });
        return { statusCode };
      },
      { clock: systemClock, log },
    ),
  );

describe('the spans of a request', () => {
  it('are written when it fails: the request, its calls of the table and of the provider, in one trace', async () => {
    const { invoke, spans } = serving('slow', 500);
    await invoke(aRequest({ traceparent: `00-${TRACE}-${CALLER}-00` }));
    expect(spans().map(({ name, kind, status }) => [name, kind, status])).toEqual([
      ['DynamoDB.GetItem', 'CLIENT', 'UNSET'],
      ['POST', 'CLIENT', 'UNSET'],
      ['POST /v1/payments', 'SERVER', 'ERROR'],
    ]);
    const [table, provider, request] = spans();
    expect(request).toMatchObject({ trace_id: TRACE, parent_span_id: CALLER, duration_ms: expect.any(Number) });
    for (const call of [table, provider])
      expect(call).toMatchObject({
        trace_id: TRACE,
        parent_span_id: request?.span_id,
        request_id: request?.request_id,
      });
    expect(provider?.attributes).toEqual({
      'server.address': '127.0.0.1',
      'http.request.method': 'POST',
      'http.response.status_code': 200,
    });
    expect(JSON.stringify(spans())).not.toMatch(/secret|charges/);
  });

  it.each([
    ['a request that went well', 'slow', '01', 0],
    ['a request that went well, if its caller does not record it', 'sampled', '00', 0],
    ['a request that its caller records', 'sampled', '01', 3],
    ['a request that its caller records, if spans are switched off', 'off', '01', 0],
  ] as const)('of %s', async (_, traces, flags, written) => {
    const { invoke, spans } = serving(traces, 201);
    await invoke(aRequest({ traceparent: `00-${TRACE}-${CALLER}-${flags}` }));
    expect(spans()).toHaveLength(written);
  });
});

describe('the spans of a message', () => {
  it('belong to the trace of the request that sent it, and the endpoint is told the span of its call', async () => {
    const requestId = newId('request', new Date());
    const post = makeWebhookHttp({ clock: systemClock, allowLoopbackHttp: true }).post;
    const { invoke, spans } = aFunction<SQSEvent, unknown>('slow', (log) =>
      sqsHandler(
        eachMessage(
          'webhook-delivery',
          async () => {
            await post({ url: `${base}/broken`, headers: {}, body: '{}', timeoutMs: 5_000 });
            throw new Error('not delivered');
          },
          log,
        ),
      ),
    );
    const body = JSON.stringify({ trace: `${requestId} ${TRACE}` });
    await invoke({ Records: [{ messageId: '1', body, attributes: { ApproximateReceiveCount: '1' } }] } as SQSEvent);
    const [call, message] = spans();
    expect(message).toMatchObject({ name: 'process webhook-delivery', kind: 'CONSUMER', status: 'ERROR' });
    expect(call).toMatchObject({ kind: 'CLIENT', status: 'ERROR', parent_span_id: message?.span_id });
    for (const span of spans()) expect(span).toMatchObject({ trace_id: TRACE, request_id: requestId });
  });
});

describe('the metrics of an invocation', () => {
  it('are written once when it has ended, also if it has failed', async () => {
    const { invoke, metrics } = aFunction('off', (log) => async (deliveries: number) => {
      for (let n = 0; n < deliveries; n += 1) log.info('delivery_tried', { outcome: 'delivered', delivery_ms: n });
      if (deliveries > 2) throw new Error('The last one failed.');
      return deliveries;
    });
    expect([await invoke(2), metrics()]).toMatchObject([2, [{ delivery_tried: 2, delivery_ms: [0, 1] }]]);
    await expect(invoke(3)).rejects.toThrow('The last one failed.');
    expect(metrics()).toMatchObject([{}, { delivery_tried: 3, function_request_id: 'lambda-1' }]);
  });
});
