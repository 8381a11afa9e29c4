import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

export const json = jsonResponder('application/json;charset=utf-8');

type ErrorType = 'validation' | 'security' | 'configuration' | 'internal';

/** An error response in the format of the Checkout API. */
export const errorResponse = (
  status: number,
  errorCode: string,
  message: string,
  errorType: ErrorType = 'validation',
): WireResponse => json(status, { status, errorCode, message, errorType }, status < 500);

export const apiError = (...fault: Parameters<typeof errorResponse>): ApiError => new ApiError(errorResponse(...fault));

export const invalid = (errorCode: string, message: string): ApiError => apiError(422, errorCode, message);

export const noSuchPayment = (): ApiError => invalid('167', 'Original pspReference required for this operation');
