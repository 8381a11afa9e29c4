import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { repeatable } from '#shared/adapters/aws/client-settings.ts';
import { faultOfMail } from '#shared/domain/reference/mail.rules.ts';
import { MailError, type MailErrorKind, type MailPort } from '#shared/ports/mail.port.ts';

/**
 * What is not here (the sender is not verified, sending is paused, no answer) is no fault of the mail and passes, or is
 * mended.
 */
const KINDS: Readonly<Record<string, MailErrorKind>> = {
  MessageRejected: 'rejected',
  BadRequestException: 'rejected',
  TooManyRequestsException: 'throttled',
  ThrottlingException: 'throttled',
  LimitExceededException: 'throttled',
};

type Settings = { readonly client: SESv2Client; readonly from: string };

/** What an entry point that sends mail gives to its container. The client is made with the first mail. */
export function sesMail(from: string | undefined): MailPort {
  let mailer: MailPort | undefined;
  return {
    async send(mail) {
      if (from === undefined) throw new MailError('unavailable', 'MAIL_FROM must say which address mail comes from.');
      mailer ??= sesMailer({ client: new SESv2Client(repeatable), from });
      await mailer.send(mail);
    },
  };
}

/** Mail by SES, whose quota and sending limits are the account's. */
export function sesMailer({ client, from }: Settings): MailPort {
  return {
    async send(mail) {
      const fault = faultOfMail(mail);
      if (fault) throw new MailError('rejected', fault);
      const part = (Data: string) => ({ Data, Charset: 'UTF-8' });
      const Content = { Simple: { Subject: part(mail.subject), Body: { Text: part(mail.text) } } };
      await client
        .send(new SendEmailCommand({ FromEmailAddress: from, Destination: { ToAddresses: [mail.to] }, Content }))
        .catch(translate);
    },
  };
}

/**
 * As long as the sender, or the account, is not verified, SES says so of each mail, in the words of one that it
 * rejects.
 */
const UNVERIFIED = /not verified/i;

/** SES's own message may quote an address, so that it goes to the cause alone. */
function translate(error: unknown): never {
  const name = error instanceof Error ? error.name : 'no answer';
  const isUnverified = error instanceof Error && UNVERIFIED.test(error.message);
  throw new MailError(
    isUnverified ? 'unavailable' : (KINDS[name] ?? 'unavailable'),
    `SES did not take the mail: ${name}.`,
    error,
  );
}
