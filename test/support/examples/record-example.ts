import { appendFileSync } from 'node:fs';
import { ROUTES } from '#functions/route-table.ts';
import { routeMatcher } from '#shared/http/route-match.ts';

/** A request of a test and its response, as one line of the file that `RECORD_EXAMPLES` names. */
export type RecordedExample = {
  /** Such as `GET /v1/payments/{id}`. */
  readonly operation: string;
  readonly status: number;
  readonly request?: unknown;
  readonly response: unknown;
};

/** What a shop received, as another line. */
export type RecordedEvent = { readonly type: string; readonly created_at: string; readonly timestamp: number };

// biome-ignore lint/style/noProcessEnv: for the tests alone.
const { RECORD_EXAMPLES: FILE } = process.env;

/** Of each test file: more of the same shape say nothing new. */
const MAX_OF_A_SHAPE = 2;
/** Characters. No example may be so long. */
const MAX_LENGTH = 20_000;

const match = routeMatcher(Object.values(ROUTES).flat());
const seen = new Map<string, number>();

/** `npm run openapi:examples` chooses among what this keeps. Other runs keep nothing. */
export function recordExample(
  method: string,
  address: string,
  request: unknown,
  { status, body: response }: { readonly status: number; readonly body: unknown },
): void {
  if (FILE === undefined || typeof response !== 'object' || response === null || isRaw(request)) return;
  const line = match(method, address.split('?')[0] ?? '')?.line;
  if (line === undefined) return;
  const example: RecordedExample = { operation: `${line.method} ${line.path}`, status, request, response };
  const text = JSON.stringify(example);
  if (text.length > MAX_LENGTH || isKnown(example)) return;
  appendFileSync(FILE, `${text}\n`);
}

export function recordEvent(event: RecordedEvent): void {
  if (FILE !== undefined) appendFileSync(FILE, `${JSON.stringify(event)}\n`);
}

/** Tests of what a parser refuses. */
const isRaw = (request: unknown): boolean => typeof request === 'string' || request instanceof Uint8Array;

function isKnown({ operation, status, request, response }: RecordedExample): boolean {
  const { code } = response as { readonly code?: unknown };
  const shape = `${operation} ${status} ${status >= 400 ? code : ''} ${shapeOf(request)} ${shapeOf(response)}`;
  const count = seen.get(shape) ?? 0;
  seen.set(shape, count + 1);
  return count >= MAX_OF_A_SHAPE;
}

/** Which properties have a value. */
function shapeOf(node: unknown): string {
  if (Array.isArray(node)) return `[${node.slice(0, 1).map(shapeOf).join()}]`;
  if (typeof node !== 'object' || node === null) return node === null ? '0' : '1';
  return Object.entries(node)
    .map(([name, value]) => `${name}:${shapeOf(value)}`)
    .join();
}
