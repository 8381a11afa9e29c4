import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';

export const NL: ReviewMessages = {
  title: 'Controles',
  subtitle: 'Betalingen waarover een mens moet beslissen. Wat het langst wacht, staat bovenaan.',
  emptyTitle: 'Niets te controleren',
  emptyText:
    'Hier verschijnt een betaling als de aanbieder een ander bedrag afschreef of nooit zei wat ervan geworden is.',
  list: 'Betalingen onder controle',
  payment: 'Betaling',
  reason: 'Reden',
  status: 'Status',
  waiting: 'Wacht sinds',
  deadline: 'Innen voor',
  provider: 'Aanbieder',
  overdue: 'Te laat',
  end: 'Controle beëindigen',
  endTitle: 'Deze controle beëindigen?',
  ended: 'De controle is beëindigd.',
  checkFirst: (provider) => `Kijk eerst in het dashboard van ${provider}: wat u daar ziet, beslist.`,
  willCancel: (provider) =>
    `De betaling wordt geannuleerd. Heeft ${provider} er geld voor geïnd, dan wordt dat één keer terugbetaald.`,
  willStay: (provider) =>
    `De betaling houdt haar status. Geld dat ${provider} te veel heeft geïnd, wordt één keer terugbetaald.`,
  willFailRefund: (amount) =>
    `De terugbetaling van ${amount} geldt als mislukt. Het bedrag kan opnieuw worden terugbetaald.`,
  willLeaveRefund: (amount) => `De terugbetaling van ${amount} blijft zoals ze is en wordt niet verder gevolgd.`,
  willFailCapture: (amount) => `De inning van ${amount} geldt als mislukt. Het bedrag kan opnieuw worden geïnd.`,
  reasons: {
    no_verdict: { name: 'Geen antwoord', hint: 'De aanbieder zei nooit wat ervan geworden is.' },
    amount_mismatch: { name: 'Ander bedrag', hint: 'De aanbieder schreef een ander bedrag af.' },
    refund_failed: { name: 'Terugbetaling mislukt', hint: 'Ongewenst geld kon niet worden terugbetaald.' },
    capture_failed: {
      name: 'Inning mislukt',
      hint: 'De aanbieder meldde haar als betaald en kon het geld daarna niet innen.',
    },
  },
};
