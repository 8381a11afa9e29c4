import type { MiddlewareObj } from '@middy/core';
import type { z } from 'zod';
import { containsCardNumber } from '#shared/domain/card-number.rules.ts';
import { type ApiEvent, type ApiResult, bodyOf, header, stateOf } from '#shared/http/request-state.ts';
import type { Route } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';

type Fault = { readonly path: string; readonly message: string };

/** Syntax of the whole request, with all faults at once; nothing has been stored or called yet. */
export const parseRequest = (): MiddlewareObj<ApiEvent, ApiResult> => ({
  before: ({ event }) => {
    const state = stateOf(event);
    const faults: Fault[] = [];
    const parts = [
      check(state.route.params, event.pathParameters ?? {}, '', faults),
      check(state.route.query, event.queryStringParameters ?? {}, 'query.', faults) ?? refuseUnknownQuery(state.route, event, faults),
      check(state.route.body, bodyIn(event, state.route), '', faults),
    ];
    if (faults.length > 0) throw new AppError('invalid_request', 'The request is invalid; see details.fields.', { details: { fields: faults } });
    state.input = Object.assign({}, ...parts);
  },
});

function bodyIn(event: ApiEvent, route: Route): unknown {
  const raw = bodyOf(event);
  if (!route.body) {
    if (raw.length > 0 && parseJson(raw, event) !== undefined) refuseCards(parseJson(raw, event));
    return undefined;
  }
  if (raw.length === 0) return route.bodyOptional ? {} : undefined;
  const body = parseJson(raw, event);
  refuseCards(body);
  return body;
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
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) faults.push(...faultsOf(issue, prefix));
  return {};
}

/** An unknown field is named by its own path, one fault each. */
function faultsOf(issue: z.core.$ZodIssue, prefix: string): Fault[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ path: prefix + path.join('.'), message: issue.message }];
  return issue.keys.map((key) => ({ path: prefix + [...path, key].join('.'), message: 'This field is unknown here.' }));
}

function refuseUnknownQuery(route: Route, event: ApiEvent, faults: Fault[]): undefined {
  if (route.query) return undefined;
  for (const name of Object.keys(event.queryStringParameters ?? {})) faults.push({ path: `query.${name}`, message: 'This parameter is unknown here.' });
  return undefined;
}
