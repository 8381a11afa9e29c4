export type ReviewReason = 'no_verdict' | 'amount_mismatch' | 'refund_failed' | 'capture_failed';

type ReasonText = { readonly name: string; readonly hint: string };

export type ReviewMessages = {
  readonly title: string;
  readonly subtitle: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly list: string;
  readonly payment: string;
  readonly reason: string;
  readonly status: string;
  readonly waiting: string;
  readonly deadline: string;
  readonly provider: string;
  readonly overdue: string;
  readonly end: string;
  readonly endTitle: string;
  readonly ended: string;
  readonly checkFirst: (provider: string) => string;
  readonly willCancel: (provider: string) => string;
  readonly willStay: (provider: string) => string;
  readonly willFailRefund: (amount: string) => string;
  readonly willLeaveRefund: (amount: string) => string;
  readonly willFailCapture: (amount: string) => string;
  readonly reasons: Readonly<Record<ReviewReason, ReasonText>>;
};
