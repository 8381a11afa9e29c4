import type { ProofMessages } from '#client/dashboard/shell/proof-messages.ts';

export const DE: ProofMessages = {
  title: 'Bestätigen Sie, dass Sie es sind',
  why: 'Diese Änderung braucht einen Nachweis, wer Sie sind, der jünger als 10 Minuten ist. Danach geht es weiter, wo Sie waren.',
  noPasskeys:
    'Ihr Konto braucht hier einen Passkey, und dieser Browser hat keinen. Öffnen Sie das Dashboard auf dem Gerät, das ihn hat.',
  usePasskey: 'Passkey verwenden',
  declined: 'Es wurde kein Passkey verwendet. Versuchen Sie es noch einmal.',
  code: 'Code',
  codeHint: 'Sechs Ziffern Ihrer Authenticator-App oder ein Wiederherstellungscode.',
  sendLink: (email) => `Link an ${email} senden`,
  linkSent: (email) =>
    `Wir haben einen Link an ${email} gesendet. Öffnen Sie ihn in diesem Browser und bestätigen Sie dann hier.`,
  link: 'Oder den Link einfügen',
  linkHint: 'Wenn Sie Ihre Mail auf einem anderen Gerät lesen.',
  confirm: 'Bestätigen',
};
