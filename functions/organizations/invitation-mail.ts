import type { Mail } from '#shared/ports/mail.port.ts';

type Invitation = { readonly to: string; readonly by: string; readonly name: string; readonly signInUrl: string };

/** The mail has no token: signing in proves the address. */
export function invitationMail({ to, by, name, signInUrl }: Invitation): Mail {
  const shown = unlinked(oneLine(name));
  return {
    to,
    subject: `You are invited to ${shown}`,
    text: `${by} has invited you to the organization "${shown}".

Sign in with this mail address to take part:

${signInUrl}

If you do not know why you get this, leave it: nothing happens unless you sign in.
`,
  };
}

const WORD_JOINER = '\u2060';

/** Mail programs turn text that looks like an address into a link. This breaks it without a visible difference. */
const unlinked = (text: string): string => text.replace(/[.:/@\u3002\uff0e\uff61](?=\S)/gu, `$&${WORD_JOINER}`);

const MOST_SHOWN = 80;

/**
 * The name is untrusted text: control and invisible characters in it must not start a header or line, or reverse the
 * text.
 */
function oneLine(name: string): string {
  const characters = [...name.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()];
  if (characters.length > MOST_SHOWN) return `${characters.slice(0, MOST_SHOWN - 1).join('')}…`;
  return characters.join('') || 'an organization';
}
