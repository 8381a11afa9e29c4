import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

export const json = jsonResponder('application/json; charset=utf-8');

/** A 401, 403 or 404 has no body. */
export const emptyError = (status: number): WireResponse => ({ status, headers: {}, body: '', rejected: true });

export const errorResponse = (
  status: number,
  error_codes: readonly string[],
  error_type = 'request_invalid',
): WireResponse => json(status, { request_id: '{request_id}', error_type, error_codes }, true);

export const invalid = (...codes: readonly string[]): ApiError => new ApiError(errorResponse(422, codes));
export const notAllowed = (): ApiError => new ApiError(emptyError(403));
export const notFound = (): ApiError => new ApiError(emptyError(404));
