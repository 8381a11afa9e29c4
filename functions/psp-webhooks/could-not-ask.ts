import { AppError } from '#shared/kernel/errors.ts';

/** Makes the provider send its callback again later. */
export const couldNotAsk = (cause?: unknown): AppError =>
  new AppError('provider_error', 'The provider could not be asked about this event.', { cause });
