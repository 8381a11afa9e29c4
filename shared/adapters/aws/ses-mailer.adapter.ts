import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { RETRYING } from '#shared/adapters/aws/client-settings.ts';
import { emailFault } from '#shared/domain/reference/email.rules.ts';
import { MailError, type MailErrorKind, type MailPort } from '#shared/ports/mail.port.ts';

/**
 * Errors of SES by name. Any other (unverified sender, paused sending, no response) is not the fault of the mail, and
 * is temporary.
 */
const KINDS: Readonly<Record<string, MailErrorKind>> = {
  MessageRejected: 'rejected',
  BadRequestException: 'rejected',
  TooManyRequestsException: 'throttled',
  ThrottlingException: 'throttled',
  LimitExceededException: 'throttled',
};

type SesSettings = { readonly client: SESv2Client; readonly from: string };

/** For the entry points that send mail. The client is created with the first mail. */
export function sesMail(from: string | undefined): MailPort {
  if (from === undefined)
    return {
      isMissing: true,
      send: () => Promise.reject(new MailError('unconfigured', 'MAIL_FROM must be the sender address of mails.')),
    };
  let mailer: MailPort | undefined;
  return {
    async send(mail) {
      mailer ??= sesMailer({ client: new SESv2Client(RETRYING), from });
      await mailer.send(mail);
    },
  };
}

/** Mail through SES, within the account's sending limits. */
export function sesMailer({ client, from }: SesSettings): MailPort {
  return {
    async send(mail) {
      const fault = emailFault(mail);
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
 * While the sender or the account is not verified, SES rejects every mail with this text, and the same error as for an
 * invalid mail.
 */
const UNVERIFIED = /not verified/i;

/** The message of SES may quote an address, so it is only in the cause. */
function translate(error: unknown): never {
  const name = error instanceof Error ? error.name : 'no response';
  const isUnverified = error instanceof Error && UNVERIFIED.test(error.message);
  throw new MailError(
    isUnverified ? 'unavailable' : (KINDS[name] ?? 'unavailable'),
    `SES did not accept the mail: ${name}.`,
    error,
  );
}
