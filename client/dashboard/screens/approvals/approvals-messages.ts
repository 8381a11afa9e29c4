import type { AgentApproval } from '#client/typescript/src/generated/schemas.ts';

/** What agents ask a person about, by the operation of the API. */
type AskedOperation =
  | 'POST /v1/payments'
  | 'POST /v1/payments/intents'
  | 'POST /v1/payments/{id}/confirm'
  | 'POST /v1/payments/{id}/retry'
  | 'POST /v1/payments/{id}/capture'
  | 'POST /v1/payments/{id}/refund'
  | 'POST /v1/payment-links'
  | 'POST /v1/disputes/{id}/accept'
  | 'POST /v1/invoices/{id}/retry'
  | 'POST /v1/subscriptions'
  | 'PATCH /v1/subscriptions/{id}'
  | 'POST /v1/subscriptions/{id}/resume';

type StatusText = { readonly name: string; readonly means: string };

export type ApprovalMessages = {
  readonly title: string;
  readonly subtitle: string;
  readonly views: string;
  readonly waiting: string;
  readonly all: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly list: string;
  readonly request: string;
  readonly what: string;
  readonly who: string;
  readonly about: string;
  readonly asked: string;
  readonly until: string;
  readonly status: string;
  readonly amount: string;
  readonly amountUnknown: string;
  readonly key: string;
  readonly program: string;
  readonly customer: string;
  readonly description: string;
  readonly decidedBy: string;
  readonly decidedAt: string;
  readonly usedAt: string;
  readonly actions: string;
  readonly approve: string;
  readonly approveTitle: string;
  readonly approveText: string;
  readonly approved: string;
  readonly reject: string;
  readonly rejectTitle: string;
  readonly rejectText: string;
  readonly rejected: string;
  readonly cannotDecide: string;
  readonly operations: Readonly<Record<AskedOperation, string>>;
  readonly statuses: Readonly<Record<AgentApproval['status'], StatusText>>;
};
