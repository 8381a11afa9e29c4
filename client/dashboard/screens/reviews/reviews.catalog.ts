import { defineCatalog } from '#client/dashboard/i18n/catalog.ts';
import type { ReviewMessages } from '#client/dashboard/screens/reviews/reviews-messages.ts';

const EN: ReviewMessages = {
  title: 'Reviews',
  subtitle: 'Payments that wait for a person to decide. What waits longest comes first.',
  emptyTitle: 'Nothing to review',
  emptyText: 'A payment appears here when its provider charged another amount, or never said what became of it.',
  list: 'Payments under review',
  payment: 'Payment',
  reason: 'Reason',
  status: 'Status',
  waiting: 'Waiting since',
  deadline: 'Capture by',
  provider: 'Provider',
  overdue: 'Overdue',
  end: 'End review',
  endTitle: 'End this review?',
  ended: 'The review has ended.',
  checkFirst: (provider) => `Look into the dashboard of ${provider} first: what you see there decides.`,
  willCancel: (provider) =>
    `The payment is canceled. If ${provider} has taken money for it, that money is refunded once.`,
  willStay: (provider) =>
    `The payment keeps its status. Money that ${provider} has taken beyond it is refunded once, and the payment can be used again.`,
  willFailRefund: (amount) => `The refund of ${amount} counts as failed, and its amount can be refunded again.`,
  willLeaveRefund: (amount) => `The refund of ${amount} stays as it is, and is no longer followed.`,
  willFailCapture: (amount) => `The capture of ${amount} counts as failed, and its amount can be captured again.`,
  reasons: {
    no_verdict: { name: 'No answer', hint: 'The provider never said what became of it.' },
    amount_mismatch: { name: 'Other amount', hint: 'The provider charged another amount than the payment has.' },
    refund_failed: { name: 'Refund failed', hint: 'Money that nobody wants could not be refunded.' },
    capture_failed: {
      name: 'Capture failed',
      hint: 'The provider reported it as paid, and then could not capture the money.',
    },
  },
};

/** Staff who handle money need not read English. */
export const REVIEWS = defineCatalog(EN, {
  de: async () => (await import('#client/dashboard/screens/reviews/reviews-de.catalog.ts')).DE,
  es: async () => (await import('#client/dashboard/screens/reviews/reviews-es.catalog.ts')).ES,
  fr: async () => (await import('#client/dashboard/screens/reviews/reviews-fr.catalog.ts')).FR,
  nl: async () => (await import('#client/dashboard/screens/reviews/reviews-nl.catalog.ts')).NL,
  pt: async () => (await import('#client/dashboard/screens/reviews/reviews-pt.catalog.ts')).PT,
});
