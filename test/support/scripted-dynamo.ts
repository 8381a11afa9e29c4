import { once } from 'node:events';
import { createServer } from 'node:http';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { dynamoClient } from '#shared/store/dynamo/dynamo-client.ts';

/**
 * `drop` closes the connection after the request was read, `hang` never responds: in both cases the outcome is
 * unknown.
 */
export type Script = 'drop' | 'hang' | { readonly status?: number; readonly body: object };

export type ScriptedDynamo = {
  readonly client: DynamoDBClient;
  readonly calls: readonly { readonly operation: string; readonly body: Record<string, unknown> }[];
  readonly stop: () => Promise<void>;
};

export const refusal = (type: string, more: object = {}, status = 400): Script => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: type, ...more },
});

/** DynamoDB's API with scripted responses, the last one repeated: for what no emulator does. */
export async function scriptedDynamo(...script: readonly Script[]): Promise<ScriptedDynamo> {
  const calls: { operation: string; body: Record<string, unknown> }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls.push({
        operation: String(request.headers['x-amz-target']).split('.')[1] ?? '',
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      const line = script[Math.min(calls.length, script.length) - 1] ?? 'drop';
      if (line === 'drop') request.socket.destroy();
      else if (line !== 'hang')
        response
          .writeHead(line.status ?? 200, { 'content-type': 'application/x-amz-json-1.0' })
          .end(JSON.stringify(line.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No address.');
  const client = dynamoClient({
    endpoint: `http://127.0.0.1:${address.port}`,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 300, throwOnRequestTimeout: true },
  });
  return {
    client,
    calls,
    stop: async () => {
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
