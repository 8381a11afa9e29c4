import { isObject, type Json } from '#functions/mcp/tool-schema.ts';
import { PAGE_SIZE, type Tool, type ToolCall } from '#functions/mcp/tools.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Secret } from '#shared/kernel/secret.ts';
import type { OwnApiPort, OwnApiResponse } from '#shared/ports/own-api.port.ts';

export type ToolCaller = {
  readonly key: Secret;
  /** The agent's program, as it calls itself. */
  readonly actorId: string | undefined;
  readonly ownApi: OwnApiPort;
};

type ToolResult = {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
};

/** Calls the API as the holder of the key would. What it answers to a refusal is the tool's error. */
export async function callTool({ call }: Tool, input: Json, caller: ToolCaller): Promise<ToolResult> {
  const wrong = faultOf(call, input);
  if (wrong) return failed({ code: 'invalid_request', message: wrong });
  const { ownApi, key, actorId } = caller;
  try {
    const response = await ownApi.call({
      method: call.method,
      path: addressOf(call, input),
      key,
      actorId,
      ...(isObject(input.body) && { body: input.body }),
      idempotencyKey: call.changes ? String(input.idempotency_key) : undefined,
    });
    return resultOf(response, call);
  } catch (error) {
    if (error instanceof AppError) throw error;
    return failed(unanswered(call.changes));
  }
}

const MAY_BE_DONE =
  'No answer came, and it may have been done. Send the same call once more, with the same idempotency_key: it is done ' +
  'once. With another key it may be done twice.';

const unanswered = (changes: boolean) => ({
  code: 'service_unavailable',
  message: changes ? MAY_BE_DONE : 'No answer came. Try again.',
});

/**
 * A body in another form must not be left out: a refund without one gives everything back. Nor may an object become the
 * text of a key, which would then be that of all operations.
 */
function faultOf(call: ToolCall, input: Json): string | undefined {
  const { body, idempotency_key: key } = input;
  const names = namesOf(call);
  const unknown = Object.keys(input).filter((name) => !names.includes(name));
  if (unknown.length > 0) return `Unknown: ${unknown.join(', ')}. This tool takes: ${names.join(', ') || 'nothing'}.`;
  const missing = call.pathNames.filter((name) => typeof input[name] !== 'string' || NO_SEGMENT.test(input[name]));
  if (missing.length > 0) return `Send ${missing.join(', ')} as text.`;
  if (body !== undefined && !isObject(body)) return 'Send body as an object with its fields, not as text or a list.';
  if (call.changes && !(typeof key === 'string' && IDEMPOTENCY_KEY.test(key)))
    return 'Send idempotency_key as text of 1 to 255 visible ASCII characters without blanks.';
  return undefined;
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Dots alone lead to the address of another operation, however they are written. */
const NO_SEGMENT = /^\.{0,2}$/;

const namesOf = ({ pathNames, queryNames, hasBody, changes }: ToolCall): readonly string[] => [
  ...pathNames,
  ...queryNames,
  ...(hasBody ? ['body'] : []),
  ...(changes ? ['idempotency_key'] : []),
];

/** An agent's text becomes one segment of the path, whatever is in it. */
function addressOf({ path, queryNames, isList }: ToolCall, input: Json): string {
  const address = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams(isList && input.limit === undefined ? { limit: String(PAGE_SIZE) } : {});
  for (const name of queryNames) if (input[name] !== undefined) query.set(name, String(input[name]));
  return query.size === 0 ? address : `${address}?${query}`;
}

function resultOf({ status, body }: OwnApiResponse, { changes }: ToolCall): ToolResult {
  if (status === 401) throw unauthenticated();
  // Without a code it is none of the API's own: something between here and there has given up.
  if (status >= 400) return failed(isObject(body) && 'code' in body ? body : unanswered(changes));
  const structuredContent = isObject(body) ? body : { items: body };
  return { content: [textOf(structuredContent)], structuredContent };
}

const failed = (problem: Record<string, unknown>): ToolResult => ({
  isError: true,
  content: [textOf(problem)],
  structuredContent: problem,
});

const textOf = (value: unknown) => ({ type: 'text' as const, text: JSON.stringify(value) });

export const unauthenticated = (): AppError =>
  new AppError('invalid_api_key', 'The API key is missing, unknown or revoked. Send it as a Bearer token.');
