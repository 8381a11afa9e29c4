import { AppError } from '#shared/kernel/errors.ts';

/** The provider sends its callback again, and by then it can be asked. */
export const couldNotAsk = (cause?: unknown): AppError => new AppError('provider_error', 'The provider could not be asked about this event.', { cause });
