import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

type Fault = { readonly message: string; readonly code?: string; readonly type?: string; readonly nextStep?: string };

export const json = jsonResponder('application/json; charset=utf-8');

export function errorResponse(
  status: number,
  { message, code, type = 'validation_error', nextStep }: Fault,
): WireResponse {
  return json(status, { status: false, message, ...(nextStep && { meta: { nextStep } }), ...(code && { type, code }) });
}

export const apiError = (status: number, fault: Fault): ApiError => new ApiError(errorResponse(status, fault));

export const invalid = (message: string, code = 'invalid_params'): ApiError =>
  apiError(400, { message, code, nextStep: 'Ensure that the value(s) you are passing are valid.' });

export const notFound = (message: string, code: string): ApiError =>
  apiError(404, { message, code, nextStep: 'Ensure that the value you are passing exists on this integration' });
