export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/**
 * Sends plain text to one address. Acceptance does not mean delivery, which is never reported. After a lost response
 * it may be sent twice.
 */
export interface MailPort {
  send(mail: Mail): Promise<void>;
}

/** `rejected`: this mail can never be sent. `throttled`: try later. `unavailable`: the mailer failed. */
export type MailErrorKind = 'rejected' | 'throttled' | 'unavailable';

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly kind: MailErrorKind;
  constructor(kind: MailErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
