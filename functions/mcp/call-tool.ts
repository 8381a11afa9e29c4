import type { Json } from '#functions/mcp/tool-schema.ts';
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

export type ToolResult = {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
};

/** Calls the API as the holder of the key would. What it answers to a refusal is the tool's error. */
export async function callTool({ call }: Tool, input: Json, caller: ToolCaller): Promise<ToolResult> {
  const unknown = Object.keys(input).filter((name) => !namesOf(call).includes(name));
  if (unknown.length > 0) return failed({ code: 'invalid_request', message: `Unknown: ${unknown.join(', ')}.` });
  const missing = call.pathNames.filter((name) => typeof input[name] !== 'string' || NO_SEGMENT.test(input[name]));
  if (missing.length > 0) return failed({ code: 'invalid_request', message: `Send ${missing.join(', ')} as text.` });
  const { ownApi, key, actorId } = caller;
  const response = await ownApi.call({
    method: call.method,
    path: addressOf(call, input),
    key,
    actorId,
    ...(call.hasBody && isObject(input.body) && { body: input.body }),
    idempotencyKey: call.changes ? String(input.idempotency_key ?? '') : undefined,
  });
  return resultOf(response);
}

/** Dots alone lead to the address of another operation, however they are written. */
const NO_SEGMENT = /^\.{0,2}$/;

const namesOf = ({ pathNames, queryNames, hasBody, changes }: ToolCall): readonly string[] => [
  ...pathNames,
  ...queryNames,
  ...(hasBody ? ['body'] : []),
  ...(changes ? ['idempotency_key'] : []),
];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An agent's text becomes one segment of the path, whatever is in it. */
function addressOf({ path, queryNames, isList }: ToolCall, input: Json): string {
  const address = path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const query = new URLSearchParams(isList && input.limit === undefined ? { limit: String(PAGE_SIZE) } : {});
  for (const name of queryNames) if (input[name] !== undefined) query.set(name, String(input[name]));
  return query.size === 0 ? address : `${address}?${query}`;
}

function resultOf({ status, body }: OwnApiResponse): ToolResult {
  if (status === 401) throw unauthenticated();
  if (status >= 400) return failed(isObject(body) ? body : { code: 'service_unavailable', message: `HTTP ${status}.` });
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
