import type { ProofMessages } from '#client/dashboard/shell/proof-messages.ts';

export const NL: ProofMessages = {
  title: 'Bevestig dat u het bent',
  why: 'Voor deze wijziging is een bewijs nodig wie u bent, van minder dan 10 minuten oud. Daarna gaat u verder waar u was.',
  noPasskeys:
    'Uw account heeft hier een passkey nodig en deze browser heeft er geen. Open het dashboard op het apparaat met de passkey.',
  usePasskey: 'Passkey gebruiken',
  declined: 'Er is geen passkey gebruikt. Probeer het opnieuw.',
  code: 'Code',
  codeHint: 'Zes cijfers van uw authenticator-app, of een herstelcode.',
  sendLink: (email) => `Link sturen naar ${email}`,
  linkSent: (email) => `We hebben een link gestuurd naar ${email}. Open hem in deze browser en bevestig dan hier.`,
  link: 'Of plak de link',
  linkHint: 'Als u uw mail op een ander apparaat leest.',
  confirm: 'Bevestigen',
};
