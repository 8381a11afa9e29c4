import { randomUUID } from 'node:crypto';
import type { Mail } from '#shared/ports/mail.port.ts';
import { type AwsWire, awsWire, type WireCall, type WireReply, wireError } from '#test/support/aws-wire.ts';

type TakenMail = Mail & { readonly from: string };

export type SesFake = AwsWire & {
  /** The mails that it accepted, oldest first. */
  readonly taken: readonly TakenMail[];
  /** The responses to the next calls, whose mails are not accepted. */
  readonly fail: (...replies: readonly WireReply[]) => void;
};

const SEND_EMAIL = 'POST /v2/email/outbound-emails';

/** SES's API (version 2), for plain text to one address from a verified sender. */
export async function startSesFake(sender: string): Promise<SesFake> {
  const taken: TakenMail[] = [];
  const failures: WireReply[] = [];

  function respond({ path, body }: WireCall): WireReply {
    const failure = failures.shift();
    if (failure) return failure;
    if (path !== SEND_EMAIL) return wireError('NotFoundException', path, 404);
    const { Subject, Body } = body.Content?.Simple ?? {};
    const [to, ...others] = body.Destination?.ToAddresses ?? [];
    if (!to || others.length > 0 || !Subject?.Data || typeof Body?.Text?.Data !== 'string')
      return wireError('BadRequestException');
    if (Subject.Charset !== 'UTF-8' || Body.Text.Charset !== 'UTF-8')
      return wireError('BadRequestException', 'Without a charset, text is 7-bit ASCII.');
    if (body.FromEmailAddress !== sender)
      return wireError('MessageRejected', `Email address is not verified: ${body.FromEmailAddress}`);
    taken.push({ from: body.FromEmailAddress, to, subject: Subject.Data, text: Body.Text.Data });
    return { body: { MessageId: randomUUID() } };
  }

  return { ...(await awsWire(respond)), taken, fail: (...replies) => void failures.push(...replies) };
}
