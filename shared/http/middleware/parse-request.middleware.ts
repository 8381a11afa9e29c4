import type { MiddlewareObj } from '@middy/core';
import * as z from 'zod';
import { faultsOf, UNKNOWN_FIELD, validationMessage } from '#shared/domain/reference/validation-messages.rules.ts';
import { withoutOptionalNulls } from '#shared/http/optional-nulls.ts';
import {
  type ApiEvent,
  type ApiResult,
  actorOf,
  bodyOf,
  header,
  isOwnName,
  MAX_ACTOR_LENGTH,
  sentBytesOf,
  setDecompressed,
  stateOf,
} from '#shared/http/request.ts';
import type { Route } from '#shared/http/route.ts';
import { cardNumberPaths } from '#shared/kernel/card-number.ts';
import { AppError, type FieldError, invalidFields } from '#shared/kernel/errors.ts';
import { MAX_JSON_DEPTH, parseJson, REPEATED_NAME } from '#shared/kernel/json.ts';

export const MAX_BODY_BYTES = 256 * 1024;

/** Runs before authentication, so that nobody makes the service read more than this, or decompress more. */
export const limitBody = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const sent = sentBytesOf(event);
    if (sent.length > MAX_BODY_BYTES) throw bodyTooLarge();
    const coding = header(event, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
    return sent.length === 0 || coding === 'identity' ? undefined : decompress(event, sent, coding);
  },
});

const bodyTooLarge = (): AppError =>
  new AppError('body_too_large', `A request body may have up to ${MAX_BODY_BYTES} bytes, also after decompression.`);

async function decompress(event: ApiEvent, sent: Buffer, coding: string): Promise<void> {
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw new AppError('unsupported_content_encoding', 'Send the body as Content-Encoding: gzip, or without any.');
  const body = await (await import('#shared/kernel/gzip.ts')).unzipped(sent, MAX_BODY_BYTES);
  if (body === 'too_large') throw bodyTooLarge();
  if (body === 'broken')
    throw new AppError(
      'malformed_gzip',
      'The body is no valid gzip, as its Content-Encoding says. Compress it again, or send it without Content-Encoding.',
    );
  setDecompressed(event, body);
}

/** The input of a route without any. */
const NoInput = z.strictObject({});

/** Validates the whole request, and reports all errors at once; nothing has been stored or called yet. */
export const parseRequest = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const state = stateOf(event);
    const { params, query, body } = state.route;
    const fieldErrors: FieldError[] = [...actorFaults(event)];
    const json = jsonBody(event, state.route);
    const parsedParams = params && validate(params, event.pathParameters ?? {}, '', fieldErrors);
    const parsedQuery = validate(query ?? NoInput, event.queryStringParameters ?? {}, 'query.', fieldErrors);
    const parsedBody = validateBody(body ?? NoInput, json, fieldErrors);
    findProtoFields(json.value, fieldErrors);
    const paths = new Set(fieldErrors.map(({ path }) => path));
    fieldErrors.push(...json.errors.filter(({ path }) => !paths.has(path)));
    const reported = withRepeatedParameters(fieldErrors, event.rawQueryString);
    if (reported.length > 0) throw invalidFields(reported);
    state.query = parsedQuery;
    state.body = { sent: json.value, validated: parsedBody };
    state.input = { ...parsedParams, ...parsedQuery, ...parsedBody };
  },
});

function validate(
  shape: z.ZodType,
  value: unknown,
  prefix: string,
  fieldErrors: FieldError[],
): Record<string, unknown> {
  const result = shape.safeParse(value, { error: validationMessage });
  if (result.success) return result.data as Record<string, unknown>;
  for (const issue of result.error.issues) fieldErrors.push(...faultsOf(issue, prefix));
  return {};
}

/** A body that is invalid as it stands may be valid without the nulls of its optional fields. */
function validateBody(
  shape: z.ZodType,
  { value, mayHaveNull }: ReturnType<typeof parseJson>,
  fieldErrors: FieldError[],
): Record<string, unknown> {
  const isLeftOut = mayHaveNull && !shape.safeParse(value).success;
  return validate(shape, isLeftOut ? withoutOptionalNulls(shape, value) : value, '', fieldErrors);
}

/** The actor is stored permanently in the audit log, where people read it. */
function actorFaults(event: ApiEvent): readonly FieldError[] {
  const { credential } = stateOf(event);
  const actor = credential && !credential.person ? (actorOf(event) ?? '') : '';
  if (isOwnName(actor))
    return [{ path: 'X-Actor-Id', message: 'Must not be `system`: the audit log calls this service so.' }];
  if (actor.length <= MAX_ACTOR_LENGTH && !/\p{Cc}/u.test(actor)) return [];
  const message = `Must have at most ${MAX_ACTOR_LENGTH} characters, none of them a control character.`;
  return [{ path: 'X-Actor-Id', message }];
}

const NO_BODY = { value: {}, mayHaveNull: false, errors: [] };

function jsonBody(event: ApiEvent, { body, bodyOptional }: Route): ReturnType<typeof parseJson> {
  const bytes = bodyOf(event);
  if (bytes.length === 0) return body && !bodyOptional ? { ...NO_BODY, value: undefined } : NO_BODY;
  const json = readJson(bytes, event);
  const paths = cardNumberPaths(json.value);
  if (paths.length > 0) throw rawCardData(paths);
  return json;
}

const rawCardData = (paths: readonly string[]): AppError =>
  new AppError(
    'raw_card_data',
    'The body holds a card number; see details.fields. Send a token of the provider instead: this API must not ' +
      'receive card numbers. If it is another number, write before it what it is, such as SIRET or IMEI.',
    { details: { fields: paths.map((path) => ({ path, message: 'Looks like a card number.' })) } },
  );

function readJson(bytes: Buffer, event: ApiEvent): ReturnType<typeof parseJson> {
  const [type, ...parameters] = (header(event, 'content-type') ?? '').toLowerCase().split(/\s*;\s*/);
  const charset = parameters.find((text) => text.startsWith('charset=')) ?? 'charset=utf-8';
  if (type?.trim() !== 'application/json' || !/^charset="?utf-?8"?\s*$/.test(charset))
    throw new AppError('unsupported_content_type', 'Send the body as Content-Type: application/json, in UTF-8.');
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.');
  }
}

/** The gateway joins the values of a repeated parameter with commas. Faults of the joined value would mislead. */
function withRepeatedParameters(fieldErrors: readonly FieldError[], query: string): FieldError[] {
  const times = Map.groupBy(new URLSearchParams(query).keys(), (name) => `query.${name}`);
  const repeated = new Set([...times].flatMap(([path, { length }]) => (length > 1 ? [path] : [])));
  return [
    ...[...repeated].map((path) => ({ path, message: REPEATED_NAME })),
    ...fieldErrors.filter(({ path }) => !repeated.has(path)),
  ];
}

/** zod's records drop a property named `__proto__` silently. */
function findProtoFields(body: unknown, fieldErrors: FieldError[]): void {
  const reported = new Set(fieldErrors.map(({ path }) => path));
  const rest: { readonly path: readonly string[]; readonly value: unknown }[] = [{ path: [], value: body }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, value } = next;
    if (typeof value !== 'object' || value === null || path.length > MAX_JSON_DEPTH) continue;
    for (const [name, inner] of Object.entries(value)) rest.push({ path: [...path, name], value: inner });
    const hidden = [...path, '__proto__'].join('.');
    if (Object.hasOwn(value, '__proto__') && !reported.has(hidden))
      fieldErrors.push({ path: hidden, message: UNKNOWN_FIELD });
  }
}
