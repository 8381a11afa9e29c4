import { jsonResponder } from '#lib/simulators/kit/json.ts';
import { ApiError, type WireResponse } from '#lib/simulators/kit/wire.ts';

/** The `error` object of Razorpay's responses. */
export type RazorpayError = {
  readonly code: 'BAD_REQUEST_ERROR' | 'GATEWAY_ERROR' | 'SERVER_ERROR';
  readonly description: string;
  readonly source: string;
  readonly step: string;
  readonly reason: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly field?: string;
};

const badRequest = (description: string, rest: Partial<RazorpayError> = {}): RazorpayError => ({
  code: 'BAD_REQUEST_ERROR',
  description,
  source: 'business',
  step: 'payment_initiation',
  reason: 'input_validation_failed',
  metadata: {},
  ...rest,
});

export const apiError = (error: RazorpayError): ApiError => new ApiError(errorResponse(400, error));

/** A field is wrong. */
export const invalid = (description: string, field?: string): ApiError =>
  apiError(badRequest(description, field === undefined ? {} : { field }));

/** Objects of another account read as missing. Razorpay does not use 404 for either. */
export const unknownId = (): ApiError => invalid('The id provided does not exist');

/** The request is not possible in the object's present state. */
export const invalidState = (description: string, reason = 'NA'): ApiError =>
  apiError(badRequest(description, { reason, ...(reason === 'NA' && { source: 'NA', step: 'NA' }) }));

export const json = jsonResponder('application/json');

const errorResponse = (status: number, error: RazorpayError): WireResponse => json(status, { error }, true);

export const plainError = (status: number, description: string, rest: Partial<RazorpayError> = {}): WireResponse =>
  errorResponse(status, badRequest(description, { source: 'NA', step: 'NA', reason: 'NA', ...rest }));
