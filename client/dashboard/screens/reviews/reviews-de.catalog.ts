import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';

export const DE: ReviewMessages = {
  title: 'Prüfungen',
  subtitle: 'Zahlungen, über die ein Mensch entscheiden muss. Was am längsten wartet, steht oben.',
  emptyTitle: 'Nichts zu prüfen',
  emptyText:
    'Hier erscheint eine Zahlung, wenn der Anbieter einen anderen Betrag belastet hat oder nie sagte, was aus ihr wurde.',
  list: 'Zahlungen in Prüfung',
  payment: 'Zahlung',
  reason: 'Grund',
  status: 'Status',
  waiting: 'Wartet seit',
  deadline: 'Einziehen bis',
  provider: 'Anbieter',
  overdue: 'Überfällig',
  end: 'Prüfung beenden',
  endTitle: 'Diese Prüfung beenden?',
  ended: 'Die Prüfung ist beendet.',
  checkFirst: (provider) => `Sehen Sie zuerst bei ${provider} nach: Was dort steht, entscheidet.`,
  willCancel: (provider) =>
    `Die Zahlung wird storniert. Hat ${provider} dafür Geld eingezogen, wird es einmal erstattet.`,
  willStay: (provider) =>
    `Die Zahlung behält ihren Status. Geld, das ${provider} darüber hinaus eingezogen hat, wird einmal erstattet.`,
  willFailRefund: (amount) =>
    `Die Erstattung von ${amount} gilt als gescheitert. Der Betrag kann erneut erstattet werden.`,
  willLeaveRefund: (amount) => `Die Erstattung von ${amount} bleibt, wie sie ist, und wird nicht weiter verfolgt.`,
  willFailCapture: (amount) =>
    `Der Einzug von ${amount} gilt als gescheitert. Der Betrag kann erneut eingezogen werden.`,
  reasons: {
    no_verdict: { name: 'Keine Antwort', hint: 'Der Anbieter sagte nie, was daraus wurde.' },
    amount_mismatch: { name: 'Anderer Betrag', hint: 'Der Anbieter hat einen anderen Betrag belastet.' },
    refund_failed: { name: 'Erstattung gescheitert', hint: 'Unerwünschtes Geld ließ sich nicht erstatten.' },
    capture_failed: {
      name: 'Einzug gescheitert',
      hint: 'Der Anbieter meldete sie als bezahlt und konnte das Geld dann nicht einziehen.',
    },
  },
};
