import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { monotonic, systemClock } from '#shared/kernel/clock.ts';
import { currentWork, newSpanId, type Work } from '#shared/kernel/operation.ts';
import { addSpan, parentIn } from '#shared/kernel/spans.ts';

type Call = { readonly work: Work; readonly at: number; readonly start: number };
type Message = { readonly request: ClientRequest; readonly response?: IncomingMessage };

/** The calls under way. A request may end outside of the work that made it, as connections are shared. */
const calls = new WeakMap<ClientRequest, Call>();

/** `DynamoDB_20120810.PutItem` and the like: AWS's clients name the operation in a header. */
const AWS_OPERATION = /^(\w+?)(?:_\d+)?\.(\w+)$/;
/** The span that our own header names to the other server. */
const OWN_SPAN = /^00-[0-9a-f]{32}-([0-9a-f]{16})-/;

let isOn = false;

/**
 * Records every call of another server as a span of the work that makes it: the table, queues, keys, providers,
 * organizations' endpoints. Node announces them, so no caller has to. Neither paths nor bodies are recorded.
 */
export function recordCalls(): void {
  if (isOn) return;
  isOn = true;
  subscribe('http.client.request.created', (message) => begin(message as Message));
  subscribe('http.client.response.finish', (message) => end(message as Message));
  subscribe('http.client.request.error', (message) => end(message as Message));
}

function begin({ request }: Message): void {
  const work = currentWork.getStore();
  if (work?.spans) calls.set(request, { work, at: systemClock.now().getTime(), start: monotonic() });
}

function end({ request, response }: Message): void {
  const call = calls.get(request);
  if (!call) return;
  calls.delete(request);
  const status = response?.statusCode;
  addSpan(call.work, {
    id: OWN_SPAN.exec(text(request, 'traceparent'))?.[1] ?? newSpanId(),
    parent: parentIn(call.work),
    name: nameOf(request),
    kind: 'CLIENT',
    began: call.at,
    ms: monotonic() - call.start,
    attributes: {
      'server.address': request.host,
      'http.request.method': request.method,
      ...(status !== undefined && { 'http.response.status_code': status }),
    },
    failed: status === undefined || status >= 500,
  });
}

const text = (request: ClientRequest, header: string): string => String(request.getHeader(header) ?? '');

function nameOf(request: ClientRequest): string {
  const [, service, operation] = AWS_OPERATION.exec(text(request, 'x-amz-target')) ?? [];
  return service === undefined ? request.method : `${service}.${operation}`;
}
