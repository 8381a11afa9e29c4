import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

export const hal = jsonResponder('application/hal+json');

export function errorResponse(status: number, detail: string, field?: string, rejected = true): WireResponse {
  const documentation = { href: 'https://docs.mollie.com/overview/handling-errors', type: 'text/html' };
  return hal(
    status,
    { status, title: TITLES[status] ?? 'Error', detail, ...(field && { field }), _links: { documentation } },
    rejected,
  );
}

/** `rejected`: Mollie did not start to process the request. */
export const apiError = (...fault: Parameters<typeof errorResponse>): ApiError => new ApiError(errorResponse(...fault));

/** A parameter is wrong. */
export const invalid = (detail: string, field?: string): ApiError => apiError(422, detail, field);

/** The request is not possible in the payment's present state. */
export const invalidState = (detail: string, field?: string): ApiError => apiError(422, detail, field, false);

/** Objects of another account read as missing. */
export const notFound = (token: string): ApiError => apiError(404, `No entity exists with token '${token}'`);
