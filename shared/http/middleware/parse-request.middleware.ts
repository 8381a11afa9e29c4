import type { MiddlewareObj } from '@middy/core';
import * as z from 'zod';
import { containsCardNumber } from '#shared/domain/reference/card-number.rules.ts';
import { inOurWords, UNKNOWN_FIELD } from '#shared/domain/reference/fault-words.rules.ts';
import { actorFaults } from '#shared/http/actor.ts';
import { type ApiEvent, type ApiResult, bodyOf, header, stateOf } from '#shared/http/request-state.ts';
import type { Route } from '#shared/http/route.ts';
import { faultsOf } from '#shared/http/schema/words.ts';
import { AppError, type FieldFault, invalidFields } from '#shared/kernel/errors.ts';

/** The input of a route without any. */
const Nothing = z.strictObject({});

/** Validates the whole request, and reports all faults at once; nothing has been stored or called yet. */
export const parseRequest = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const state = stateOf(event);
    const faults: FieldFault[] = [...actorFaults(event)];
    const body = bodyIn(event, state.route);
    const parts = [
      check(state.route.params, event.pathParameters ?? {}, '', faults),
      check(state.route.query ?? Nothing, event.queryStringParameters ?? {}, 'query.', faults),
      check(state.route.body ?? Nothing, body, '', faults),
    ];
    refuseHidden(body, faults);
    const told = withRepeated(faults, event.rawQueryString);
    if (told.length > 0) throw invalidFields(told);
    state.input = Object.assign({}, ...parts);
  },
});

function bodyIn(event: ApiEvent, { body, bodyOptional }: Route): unknown {
  const raw = bodyOf(event);
  if (raw.length === 0) return body && !bodyOptional ? undefined : {};
  const value = parseJson(raw, event);
  refuseCards(value);
  return value;
}

/** The gateway joins the values of a repeated parameter with commas. Faults of the joined value would mislead. */
function withRepeated(faults: readonly FieldFault[], query: string): FieldFault[] {
  const times = Map.groupBy(new URLSearchParams(query).keys(), (name) => `query.${name}`);
  const repeated = new Set([...times].flatMap(([path, { length }]) => (length > 1 ? [path] : [])));
  return [
    ...[...repeated].map((path) => ({ path, message: 'Must be given once.' })),
    ...faults.filter(({ path }) => !repeated.has(path)),
  ];
}

function parseJson(raw: Buffer, event: ApiEvent): unknown {
  const type = (header(event, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new AppError('unsupported_content_type', 'Send the body as Content-Type: application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.');
  }
}

function refuseCards(body: unknown): void {
  if (containsCardNumber(body))
    throw new AppError(
      'raw_card_data',
      'The body holds a card number. Send a token of the provider instead; card numbers must not reach us.',
    );
}

function check(shape: z.ZodType | undefined, value: unknown, prefix: string, faults: FieldFault[]): unknown {
  if (!shape) return undefined;
  const result = shape.safeParse(value, { error: inOurWords });
  if (result.success) return result.data;
  for (const issue of result.error.issues) faults.push(...faultsOf(issue, prefix));
  return {};
}

/** How deep the search goes; shapes refuse anything deeper. */
const DEEPEST = 32;

/** zod's records drop a property of this name silently. */
function refuseHidden(body: unknown, faults: FieldFault[]): void {
  const told = new Set(faults.map(({ path }) => path));
  const rest: { readonly path: readonly string[]; readonly value: unknown }[] = [{ path: [], value: body }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, value } = next;
    if (typeof value !== 'object' || value === null || path.length > DEEPEST) continue;
    for (const [name, inner] of Object.entries(value)) rest.push({ path: [...path, name], value: inner });
    const hidden = [...path, '__proto__'].join('.');
    if (Object.hasOwn(value, '__proto__') && !told.has(hidden)) faults.push({ path: hidden, message: UNKNOWN_FIELD });
  }
}
