export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

/**
 * Sends plain text to one address. Acceptance does not mean delivery, which is never reported. After a lost response
 * it may be sent twice.
 */
export interface MailPort {
  /** Set where the stage has no sender: no mail can be sent until it is deployed with one. */
  readonly isMissing?: true;
  send(mail: Mail): Promise<void>;
}

/**
 * `rejected`: this mail can never be sent. `unconfigured`: no mail can be sent here. `throttled`: try later.
 * `unavailable`: the mailer failed.
 */
export type MailErrorKind = 'rejected' | 'unconfigured' | 'throttled' | 'unavailable';

/** Kinds that a later try does not change. */
export const LASTING_MAIL_ERRORS: ReadonlySet<MailErrorKind> = new Set(['rejected', 'unconfigured']);

export class MailError extends Error {
  override readonly name = 'MailError';
  readonly kind: MailErrorKind;
  constructor(kind: MailErrorKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
