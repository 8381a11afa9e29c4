import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { randomId } from '#lib/simulators/kit/random-id.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

export type Link = { readonly href: string; readonly rel: string; readonly method: string };

type ErrorDetail = {
  readonly issue: string;
  readonly description?: string;
  readonly field?: string;
  readonly value?: string;
};

type ErrorName = { readonly name: string; readonly message: string };

const NAMES: Readonly<Record<number, ErrorName>> = {
  400: { name: 'INVALID_REQUEST', message: 'Request is not well-formed, syntactically incorrect, or violates schema.' },
  401: {
    name: 'AUTHENTICATION_FAILURE',
    message: 'Authentication failed due to missing authorization header, or invalid authentication credentials.',
  },
  403: { name: 'NOT_AUTHORIZED', message: 'Authorization failed due to insufficient permissions.' },
  404: { name: 'RESOURCE_NOT_FOUND', message: 'The specified resource does not exist.' },
  409: { name: 'RESOURCE_CONFLICT', message: 'The server has detected a conflict while processing this request.' },
  422: {
    name: 'UNPROCESSABLE_ENTITY',
    message: 'The requested action could not be performed, semantically incorrect, or failed business validation.',
  },
  429: { name: 'RATE_LIMIT_REACHED', message: 'Too many requests. Blocked due to rate limiting.' },
  500: { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error occurred.' },
};
const UNKNOWN: ErrorName = { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error occurred.' };

export const json = jsonResponder('application/json');

/** An error response. `rejected` is false if the request was executed, so that its key stores the response. */
export function errorResponse(
  status: number,
  details: readonly ErrorDetail[] = [],
  more: { readonly links?: readonly Link[]; readonly rejected?: boolean } = {},
) {
  const { name, message } = NAMES[status] ?? UNKNOWN;
  const help = {
    href: `https://developer.paypal.com/docs/api/orders/v2/#error-${details[0]?.issue ?? name}`,
    rel: 'information_link',
    method: 'GET',
  };
  const located = details.map((detail) => (detail.field ? { ...detail, location: 'body' } : detail));
  return json(
    status,
    {
      name,
      message,
      debug_id: randomId(13),
      ...(located.length > 0 && { details: located }),
      links: [help, ...(more.links ?? [])],
    },
    more.rejected ?? true,
  );
}

/** The error format of the OAuth endpoint, which invalid access tokens get too. */
export const loginError = (error: string, error_description: string): WireResponse =>
  json(401, { error, error_description }, true);

export const invalidRequest = (field: string, issue: string, description: string): ApiError =>
  new ApiError(errorResponse(400, [{ field, issue, description }]));
export const unprocessable = (issue: string, description: string, field?: string): ApiError =>
  new ApiError(errorResponse(422, [{ issue, description, ...(field && { field }) }]));
export const notFound = (): ApiError =>
  new ApiError(
    errorResponse(404, [
      {
        issue: 'INVALID_RESOURCE_ID',
        description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
      },
    ]),
  );
