import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export type WireCall = {
  readonly operation: string;
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: requests of every service and shape.
  readonly body: any;
  readonly headers: IncomingHttpHeaders;
};
/** `drop` closes the connection after the request was read, so that its outcome is unknown. */
export type WireReply = 'drop' | { readonly status?: number; readonly body: object };

export type AwsWire = {
  readonly endpoint: string;
  readonly calls: readonly WireCall[];
  readonly stop: () => Promise<void>;
};

/** The options of the fakes' clients. */
export const FAKE_ACCOUNT = { region: 'eu-west-1', credentials: { accessKeyId: 'fake', secretAccessKey: 'fake' } };

export const wireError = (name: string, message = name, status = 400): WireReply => ({
  status,
  body: { __type: name, message },
});

/**
 * A service that speaks one of AWS's JSON protocols (the operation in a header, or in method and path) over real
 * HTTP, with the responses of the test. Unsigned requests are rejected, as AWS does.
 */
export async function awsWire(answer: (call: WireCall) => WireReply): Promise<AwsWire> {
  const calls: WireCall[] = [];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const call = {
      operation,
      path: `${request.method} ${request.url}`,
      body: JSON.parse(text || '{}'),
      headers: request.headers,
    };
    calls.push(call);
    const signed = request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ');
    const reply = signed
      ? answer(call)
      : wireError('MissingAuthenticationTokenException', 'Request is missing Authentication Token');
    if (reply === 'drop') return void request.socket.destroy();
    response
      .writeHead(reply.status ?? 200, { 'content-type': 'application/x-amz-json-1.1' })
      .end(JSON.stringify(reply.body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('No address.');
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    calls,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
