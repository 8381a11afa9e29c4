import { STATUS_CODES } from 'node:http';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type HeaderName, headerRefs, STAMPED } from '#shared/http/openapi/components.ts';
import { type AnyRoute, isRaw } from '#shared/http/route.ts';
import { ERROR_CODES, type ErrorCode } from '#shared/kernel/errors.ts';

/** The errors of one status that a route may answer with. */
type Refusal = {
  readonly status: number;
  readonly codes: readonly ErrorCode[];
  readonly replayable: boolean;
  readonly page: boolean;
};

/** Statuses of refusals that are stored, and replayed to a repeat with the same key. */
const STORED: ReadonlySet<number> = new Set([400, 404, 409]);

/** Statuses with a Retry-After. */
const TO_BE_RETRIED: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'idempotency_in_progress',
  'outcome_unknown',
  'events_waiting',
]);

/**
 * The error answers of each route. Most routes refuse alike: the most common answer of a status is written once, under
 * `components`, and referenced.
 */
export function errorAnswers(routes: readonly AnyRoute[], codesOf: (route: AnyRoute) => readonly ErrorCode[]) {
  const byRoute = new Map(routes.map((route) => [route, refusalsOf(route, codesOf(route))]));
  const common = mostCommon([...byRoute.values()].flat());
  const answerOf = (refusal: Refusal) =>
    common.get(refusal.status)?.key === keyOf(refusal)
      ? { $ref: `#/components/responses/${nameOf(refusal)}` }
      : answerTo(refusal);
  return {
    of: (route: AnyRoute): ZodOpenApiResponsesObject =>
      Object.fromEntries((byRoute.get(route) ?? []).map((refusal) => [String(refusal.status), answerOf(refusal)])),
    common: Object.fromEntries([...common.values()].map(({ refusal }) => [nameOf(refusal), answerTo(refusal)])),
  };
}

function refusalsOf(route: AnyRoute, codes: readonly ErrorCode[]): readonly Refusal[] {
  const all = Object.keys(ERROR_CODES) as ErrorCode[];
  const byStatus = Map.groupBy(
    all.filter((code) => codes.includes(code)),
    (code) => ERROR_CODES[code].status,
  );
  const page = isRaw(route) && route.page !== undefined;
  const claims = !isRaw(route) && (route.idempotency === 'required' || route.idempotency === 'optional');
  return [...byStatus]
    .map(([status, own]) => ({ status, codes: own, replayable: claims && STORED.has(status), page }))
    .sort((a, b) => a.status - b.status);
}

const nameOf = ({ status }: Refusal): string => `Error${status}`;
const keyOf = (refusal: Refusal): string => JSON.stringify(refusal);

function mostCommon(
  refusals: readonly Refusal[],
): ReadonlyMap<number, { readonly key: string; readonly refusal: Refusal }> {
  const best = new Map<number, { key: string; refusal: Refusal; count: number }>();
  for (const [key, alike] of Map.groupBy(refusals, keyOf)) {
    const [refusal] = alike;
    if (refusal && alike.length > Math.max(1, best.get(refusal.status)?.count ?? 0))
      best.set(refusal.status, { key, refusal, count: alike.length });
  }
  return new Map([...best].sort(([a], [b]) => a - b));
}

function answerTo({ status, codes, replayable, page }: Refusal): ZodOpenApiResponseObject {
  const more: HeaderName[] = [
    ...(codes.some((code) => TO_BE_RETRIED.has(code)) ? (['Retry-After'] as const) : []),
    ...(replayable ? (['Idempotency-Replayed'] as const) : []),
  ];
  return {
    description: page
      ? `${STATUS_CODES[status]}, told in a page.`
      : `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerRefs([...STAMPED, ...more]),
    content: page
      ? { 'text/html': { schema: { type: 'string' } } }
      : {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { enum: [...codes] } } },
              ],
            },
          },
        },
  };
}
