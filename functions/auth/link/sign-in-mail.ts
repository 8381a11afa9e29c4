import type { Mail } from '#shared/ports/mail.port.ts';

export const signInMail = (to: string, link: string): Mail => ({
  to,
  subject: 'Your sign-in link',
  text: `Open this link to sign in:

${link}

It works once, for 15 minutes. If you did not ask for it, leave it: without the link nobody gets in.
`,
});
