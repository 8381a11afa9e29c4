import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';

export const FR: ReviewMessages = {
  title: 'Vérifications',
  subtitle: 'Des paiements sur lesquels une personne doit décider. Ce qui attend le plus vient en premier.',
  emptyTitle: 'Rien à vérifier',
  emptyText:
    "Un paiement apparaît ici quand son prestataire a débité un autre montant ou n'a jamais dit ce qu'il est devenu.",
  list: 'Paiements à vérifier',
  payment: 'Paiement',
  reason: 'Motif',
  status: 'Statut',
  waiting: 'En attente depuis',
  deadline: 'À capturer avant',
  provider: 'Prestataire',
  overdue: 'En retard',
  end: 'Terminer la vérification',
  endTitle: 'Terminer cette vérification ?',
  ended: 'La vérification est terminée.',
  checkFirst: (provider) => `Regardez d'abord dans l'espace de ${provider} : ce que vous y voyez décide.`,
  willCancel: (provider) =>
    `Le paiement est annulé. Si ${provider} a encaissé de l'argent, il est remboursé une seule fois.`,
  willStay: (provider) =>
    `Le paiement garde son statut. L'argent que ${provider} a encaissé en trop est remboursé une seule fois.`,
  willFailRefund: (amount) =>
    `Le remboursement de ${amount} compte comme échoué et son montant peut être remboursé de nouveau.`,
  willLeaveRefund: (amount) => `Le remboursement de ${amount} reste tel quel et n'est plus suivi.`,
  willFailCapture: (amount) =>
    `La capture de ${amount} compte comme échouée et son montant peut être capturé de nouveau.`,
  reasons: {
    no_verdict: { name: 'Sans réponse', hint: "Le prestataire n'a jamais dit ce qu'il est devenu." },
    amount_mismatch: { name: 'Autre montant', hint: 'Le prestataire a débité un autre montant.' },
    refund_failed: { name: 'Remboursement échoué', hint: "De l'argent non voulu n'a pas pu être remboursé." },
    capture_failed: {
      name: 'Capture échouée',
      hint: "Le prestataire l'a dit payé, puis n'a pas pu capturer l'argent.",
    },
  },
};
