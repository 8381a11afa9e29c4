import { jsonAs } from '#lib/simulators/frame/json.ts';
import { letters } from '#lib/simulators/frame/letters.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

export type Link = { readonly href: string; readonly rel: string; readonly method: string };

type Detail = {
  readonly issue: string;
  readonly description?: string;
  readonly field?: string;
  readonly value?: string;
};

type Shown = { readonly name: string; readonly message: string };

const NAMES: Readonly<Record<number, Shown>> = {
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
const UNKNOWN: Shown = { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error occurred.' };

export const json = jsonAs('application/json');

/** PayPal's one form of error. What was turned away before anything was done is remembered under no key. */
export function errorAnswer(
  status: number,
  details: readonly Detail[] = [],
  more: { readonly links?: readonly Link[]; readonly turnedAway?: boolean } = {},
) {
  const { name, message } = NAMES[status] ?? UNKNOWN;
  const help = {
    href: `https://developer.paypal.com/docs/api/orders/v2/#error-${details[0]?.issue ?? name}`,
    rel: 'information_link',
    method: 'GET',
  };
  const placed = details.map((detail) => (detail.field ? { ...detail, location: 'body' } : detail));
  return json(
    status,
    {
      name,
      message,
      debug_id: letters(13),
      ...(placed.length > 0 && { details: placed }),
      links: [help, ...(more.links ?? [])],
    },
    more.turnedAway ?? true,
  );
}

/** The login's form of error, which a refused access token has too. */
export const loginError = (error: string, error_description: string): WireAnswer =>
  json(401, { error, error_description }, true);

export const malformed = (field: string, issue: string, description: string): Refusal =>
  new Refusal(errorAnswer(400, [{ field, issue, description }]));
export const impossible = (issue: string, description: string, field?: string): Refusal =>
  new Refusal(errorAnswer(422, [{ issue, description, ...(field && { field }) }]));
export const missing = (): Refusal =>
  new Refusal(
    errorAnswer(404, [
      {
        issue: 'INVALID_RESOURCE_ID',
        description: 'Specified resource ID does not exist. Please check the resource ID and try again.',
      },
    ]),
  );
