import type { MiddlewareObj } from '@middy/core';
import * as z from 'zod';
import { containsCardNumber } from '#shared/domain/card-number.rules.ts';
import { actorFaults } from '#shared/http/actor.ts';
import { type ApiEvent, type ApiResult, bodyOf, header, stateOf } from '#shared/http/request-state.ts';
import type { Route } from '#shared/http/route.ts';
import { type Fault, faultsOf, inOurWords, UNKNOWN_FIELD } from '#shared/http/schema/words.ts';
import { AppError } from '#shared/kernel/errors.ts';

/** What a route takes that takes nothing. */
const Nothing = z.strictObject({});

/** Syntax of the whole request, with all faults at once; nothing has been stored or called yet. */
export const parseRequest = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const state = stateOf(event);
    const faults: Fault[] = [...actorFaults(event)];
    const body = bodyIn(event, state.route);
    const parts = [
      check(state.route.params, event.pathParameters ?? {}, '', faults),
      check(state.route.query ?? Nothing, event.queryStringParameters ?? {}, 'query.', faults),
      check(state.route.body ?? Nothing, body, '', faults),
    ];
    refuseHidden(body, faults);
    if (faults.length > 0) throw new AppError('invalid_request', 'The request is invalid; see details.fields.', { details: { fields: faults } });
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

function parseJson(raw: Buffer, event: ApiEvent): unknown {
  const type = (header(event, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new AppError('unsupported_content_type', 'Send the body as Content-Type: application/json.');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    throw new AppError('malformed_json', 'The body is not valid JSON.');
  }
}

function refuseCards(body: unknown): void {
  if (containsCardNumber(body))
    throw new AppError('raw_card_data', 'The body holds a card number. Send a token of the provider instead; card numbers must not reach us.');
}

function check(shape: z.ZodType | undefined, value: unknown, prefix: string, faults: Fault[]): unknown {
  if (!shape) return undefined;
  const result = shape.safeParse(value, { error: inOurWords });
  if (result.success) return result.data;
  for (const issue of result.error.issues) faults.push(...faultsOf(issue, prefix));
  return {};
}

/** How deep a shape looks. What lies deeper is refused by it anyway. */
const DEEPEST = 32;

/** Records pass a property of this name by, and it would be gone without a word. */
function refuseHidden(body: unknown, faults: Fault[]): void {
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
