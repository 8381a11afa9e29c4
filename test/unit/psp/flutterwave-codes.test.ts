import { describe, expect, it } from 'vitest';
import { refusal } from '#shared/psp/flutterwave/client.ts';
import {
  declineFromMessage,
  ISSUER_REASONS,
  readReasonText,
  refusedCharge,
} from '#shared/psp/flutterwave/declines.catalog.ts';
import { toOutcome, toRefundOutcome } from '#shared/psp/flutterwave/outcomes.rules.ts';
import { Refund, Transaction } from '#shared/psp/flutterwave/schema.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import documented from '#test/fixtures/flutterwave/documented-codes.json' with { type: 'json' };
import refunded from '#test/fixtures/flutterwave/refund-initiated.json' with { type: 'json' };
import verified from '#test/fixtures/flutterwave/transaction-verified.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

const STATUSES: Readonly<Record<string, string>> = {
  successful: 'succeeded',
  failed: 'declined',
  pending: 'processing',
  'success-pending-validation': 'processing',
};

const REFUND_STATUSES: Readonly<Record<string, string>> = {
  completed: 'succeeded',
  'completed-mpgs': 'succeeded',
  pending: 'accepted',
  failed: 'failed',
};

/** The kind of a refused request. An error that is taken for a bank's unknown reason is not mapped. */
function readError(message: string) {
  const status = /authorization|secret key/i.test(message) ? 401 : 400;
  const decline = declineFromMessage(message, true);
  if (decline || refusedCharge(status, message, true)) return decline ?? readReasonText(message);
  return refusal({ ok: false, status, message, data: null, meta: null }).kind;
}

const READERS: Readonly<Record<string, (code: string) => ReturnType<typeof readReasonText> | string>> = {
  'issuer reasons': (code) => (lookUp(ISSUER_REASONS, code) === undefined ? undefined : readReasonText(code)),
  'errors of the API': readError,
  'payment statuses': (status) => lookUp(STATUSES, status),
  'refund statuses': (status) => lookUp(REFUND_STATUSES, status),
};

describeDocumentedCodes(
  'flutterwave',
  documented.lists.map((list) => ({ ...list, read: READERS[list.name] ?? readReasonText })),
);

describe('the table of Flutterwave’s issuer reasons', () => {
  it('has no reason that Flutterwave does not document', () =>
    expect(Object.keys(ISSUER_REASONS).toSorted()).toEqual(documented.lists[0]?.codes.toSorted()));

  it.each(Object.entries(STATUSES))('reads a payment that is %s as %s', (status, kind) =>
    expect(toOutcome(Transaction.parse({ ...verified.data, status, processor_response: null })).kind).toBe(kind),
  );

  it.each(Object.entries(REFUND_STATUSES))('reads a refund that is %s as %s', (status, kind) =>
    expect(toRefundOutcome(Refund.parse({ ...refunded.data, status })).kind).toBe(kind),
  );

  it.each([
    ['merchant secret key required', 'credentials'],
    ['Cardno is required', 'request'],
    ['No transaction was found for this id', 'not_found'],
    ['Merchant is suspended', 'account'],
  ])('is not asked about the error "%s": %s', (message, kind) => expect(readError(message)).toBe(kind));
});
