import { emailFault } from '#shared/domain/reference/email.rules.ts';
import type { Clock } from '#shared/kernel/clock.ts';
import { type Mail, MailError, type MailPort } from '#shared/ports/mail.port.ts';

type SentMail = Mail & { readonly sent_at: string };

/** This host's outgoing mail, which never leaves the machine. Oldest first, and lost with the process. */
export class Mailbox implements MailPort {
  readonly #mails: SentMail[] = [];
  readonly #clock: Clock;
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    const fault = emailFault({ to, subject });
    if (fault) throw new MailError('rejected', fault);
    this.#mails.push({ to, subject, text, sent_at: this.#clock.now().toISOString() });
  }

  to(address: string | undefined): readonly SentMail[] {
    return this.#mails.filter((mail) => address === undefined || mail.to.toLowerCase() === address.toLowerCase());
  }
}
