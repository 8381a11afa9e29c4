export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/** Plain text to one address. Once it is taken it is on its way; whether it arrives nobody learns here. After a lost answer it may go twice. */
export interface MailPort {
  send(mail: Mail): Promise<void>;
}

/** `rejected`: this mail never goes. `throttled`: later. `unavailable`: nothing is wrong with the mail, but it did not go. */
export type MailErrorKind = 'rejected' | 'throttled' | 'unavailable';

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly kind: MailErrorKind;
  constructor(kind: MailErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
