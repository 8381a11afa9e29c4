import { defineCatalog } from '#client/dashboard/i18n/catalog.ts';
import type { ProofMessages } from '#client/dashboard/shell/proof-messages.ts';

const EN: ProofMessages = {
  title: 'Confirm that it is you',
  why: 'This change needs a proof of who you are that is less than 10 minutes old. What you were doing continues afterwards.',
  noPasskeys:
    'Your account needs a passkey here, and this browser has none. Open the dashboard on the device that has it.',
  usePasskey: 'Use a passkey',
  declined: 'No passkey was used. Try again.',
  code: 'Code',
  codeHint: 'Six digits of your authenticator app, or a recovery code.',
  sendLink: (email) => `Send a link to ${email}`,
  linkSent: (email) => `We sent a link to ${email}. Open it in this browser, then confirm here.`,
  link: 'Or paste the link',
  linkHint: 'If you read your mail on another device.',
  confirm: 'Confirm',
};

export const PROOF = defineCatalog<ProofMessages>(EN, {
  de: async () => (await import('#client/dashboard/shell/proof-de.catalog.ts')).DE,
  fr: async () => (await import('#client/dashboard/shell/proof-fr.catalog.ts')).FR,
  es: async () => (await import('#client/dashboard/shell/proof-es.catalog.ts')).ES,
  nl: async () => (await import('#client/dashboard/shell/proof-nl.catalog.ts')).NL,
  pt: async () => (await import('#client/dashboard/shell/proof-pt.catalog.ts')).PT,
});
