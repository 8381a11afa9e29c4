import * as z from 'zod';

const Address = z.email().max(320);
const MOST_SUBJECT = 200;
/** C0 controls and DEL: a line break could start a forged header. */
const CONTROL = /\p{Cc}/u;

type Parts = { readonly to: string; readonly subject: string };

/** Why a mail is invalid, if it is: it needs one address and a one-line subject. Never quotes the input. */
export function faultOfMail({ to, subject }: Parts): string | undefined {
  if (!Address.safeParse(to).success) return 'The address is not one e-mail address.';
  if (subject.length === 0 || subject.length > MOST_SUBJECT || CONTROL.test(subject))
    return `The subject is not one line of 1 to ${MOST_SUBJECT} characters.`;
  return undefined;
}
