import type { ProofMessages } from '#client/dashboard/shell/proof-messages.ts';

export const FR: ProofMessages = {
  title: 'Confirmez que c’est bien vous',
  why: 'Cette modification exige une preuve de votre identité datant de moins de 10 minutes. Vous reprendrez ensuite là où vous en étiez.',
  noPasskeys:
    'Votre compte exige ici une clé d’accès, et ce navigateur n’en a pas. Ouvrez le tableau de bord sur l’appareil qui la contient.',
  usePasskey: 'Utiliser une clé d’accès',
  declined: 'Aucune clé d’accès n’a été utilisée. Réessayez.',
  code: 'Code',
  codeHint: 'Six chiffres de votre application d’authentification, ou un code de récupération.',
  sendLink: (email) => `Envoyer un lien à ${email}`,
  linkSent: (email) => `Nous avons envoyé un lien à ${email}. Ouvrez-le dans ce navigateur, puis confirmez ici.`,
  link: 'Ou collez le lien',
  linkHint: 'Si vous lisez vos e-mails sur un autre appareil.',
  confirm: 'Confirmer',
};
