import { AppError } from '#shared/kernel/errors.ts';

export const codeMissing = (): AppError =>
  new AppError('totp_required', 'Send the code of your authenticator app, or a recovery code, as code.');

export const wrongCode = (): AppError => new AppError('invalid_code', 'This code is wrong, or was used before.');
