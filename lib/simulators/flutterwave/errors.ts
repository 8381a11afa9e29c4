import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

export const json = jsonResponder('application/json; charset=utf-8');

/** An error has the same envelope as a success, without data. */
export const errorResponse = (status: number, message: string): WireResponse =>
  json(status, { status: 'error', message, data: null }, true);

export const invalid = (message: string): ApiError => new ApiError(errorResponse(400, message));
export const notFound = (kind: string): ApiError =>
  new ApiError(errorResponse(404, `No ${kind} was found for this id`));
