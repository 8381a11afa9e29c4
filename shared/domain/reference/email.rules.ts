import * as z from 'zod';

/** Addresses are case-insensitive in practice: a capital letter must neither make a second user nor evade a list. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

const Address = z.email().max(320);
const MAX_SUBJECT_LENGTH = 200;
/** C0 controls and DEL: a line break could start a forged header. */
const CONTROL = /\p{Cc}/u;

/** Why a mail is invalid, if it is: it needs one address and a one-line subject. Never quotes the input. */
export function emailFault({ to, subject }: { readonly to: string; readonly subject: string }): string | undefined {
  if (!Address.safeParse(to).success) return 'The address is not one e-mail address.';
  if (subject.length === 0 || subject.length > MAX_SUBJECT_LENGTH || CONTROL.test(subject))
    return `The subject is not one line of 1 to ${MAX_SUBJECT_LENGTH} characters.`;
  return undefined;
}
