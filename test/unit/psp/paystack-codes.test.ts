import { describe, expect, it } from 'vitest';
import { type DeclineClass, mayFailOver } from '#shared/domain/payments/declines.catalog.ts';
import { UNDECIDED } from '#shared/psp/kit/declines.ts';
import { isDuplicate, refusal } from '#shared/psp/paystack/client.ts';
import { refusedCharge, toDecline } from '#shared/psp/paystack/declines.catalog.ts';
import { toOutcome, toRefundOutcome } from '#shared/psp/paystack/outcomes.rules.ts';
import type { Envelope } from '#shared/psp/paystack/schema.ts';
import documented from '#test/fixtures/paystack/documented-codes.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

/** A reason that only the last line of all would take is not in the table. */
const readReason = (gateway_response: string) => {
  const decline = toDecline({ gateway_response });
  return decline !== UNDECIDED && decline.provider_code === null ? undefined : decline;
};

function readRefusal(message: string) {
  const error: Envelope = { status: false, message };
  if (isDuplicate(error)) return 'earlier charge';
  const decline = refusedCharge(400, error);
  if (decline === undefined) return refusal(400, error).kind;
  return decline !== UNDECIDED && decline.provider_code === null ? undefined : decline;
}

const READERS = [readRefusal, readReason, readReason, readReason];

describeDocumentedCodes(
  'paystack',
  documented.lists.map((list, n) => ({ ...list, read: READERS[n]! })),
);

const reasonsOf = (retry: DeclineClass | typeof UNDECIDED) =>
  documented.lists
    .slice(1)
    .flatMap(({ codes }) => codes)
    .filter((reason) => {
      const decline = toDecline({ gateway_response: reason });
      return decline === UNDECIDED ? retry === UNDECIDED : decline.retry === retry;
    });

describe('the reasons of a failed charge at Paystack', () => {
  it('are not decided where the bank may still approve', () => {
    expect(reasonsOf(UNDECIDED)).toEqual([
      'Approved by Financial Institution, Partial',
      'Transaction In Progress',
      'Request in Progress',
      'Completed Partially by Financial Institution',
      'Response Received Too Late',
      'Pending',
      'Transaction Pending',
      'Transaction in progress',
    ]);
  });

  it.each([
    ['Security violation', 'fraud_suspected', 'never'],
    ['Call Acquirer Security', 'fraud_suspected', 'never'],
    ['Customer is blacklisted', 'fraud_suspected', 'never'],
    ['Unable to process transaction', 'fraud_suspected', 'never'],
    ['Pickup card (stolen card)', 'stolen_card', 'never'],
    ['Pickup card (lost card)', 'lost_card', 'never'],
    ['Restricted Card', 'restricted_card', 'never'],
    ['Account Closed', 'invalid_account', 'never'],
    ['Violation of law', 'transaction_not_allowed', 'never'],
    ['Duplicate transaction', 'card_declined', 'fix_input'],
    ['Duplicate Transaction ID', 'card_declined', 'fix_input'],
    ['Transaction timed out', 'processing_error', 'retry_same_later'],
    ['Received invalid response from remote entity', 'processing_error', 'retry_same_later'],
    ['Cut-off in Progress', 'try_again_later', 'retry_same_later'],
    ['Invalid transaction', 'transaction_not_allowed', 'new_method'],
    ['Invalid Transaction Reference', 'card_declined', 'retry_same_later'],
    ['PIN Tries Exceeded', 'incorrect_pin', 'new_method'],
    ['System Malfunction', 'processing_error', 'retry_other_psp'],
    ['Issuer or Switch Inoperative', 'issuer_unavailable', 'retry_other_psp'],
    ['Do Not Honour', 'do_not_honor', 'retry_other_psp'],
    ['Declined', 'card_declined', 'retry_other_psp'],
    ['Words of no list', 'card_declined', 'retry_same_later'],
    ['', 'card_declined', 'retry_same_later'],
  ])('read "%s" as %s, %s', (gateway_response, code, retry) =>
    expect(toDecline({ gateway_response })).toMatchObject({ code, retry }),
  );

  it('go elsewhere only where they are known to be harmless', () => {
    const elsewhere = documented.lists
      .slice(1)
      .flatMap(({ codes }) => codes)
      .filter((reason) => {
        const decline = toDecline({ gateway_response: reason });
        return decline !== UNDECIDED && mayFailOver(decline);
      });
    expect(
      elsewhere.filter((reason) => /fraud|security|violation|lost|stolen|closed|duplicate|time/i.test(reason)),
    ).toEqual([]);
    expect(elsewhere).toEqual(expect.arrayContaining(['Declined', 'Do not honor', 'System Malfunction']));
  });
});

describe('a refused charge at Paystack', () => {
  it.each([
    ['a bank’s words', { message: 'Pickup card (stolen card)' }, { code: 'stolen_card' }],
    [
      'words of no list',
      { message: 'Kaput' },
      { code: 'card_declined', retry: 'retry_same_later', provider_code: null },
    ],
    ['a bank that has not decided', { message: 'Transaction Pending' }, UNDECIDED],
    ['a check of Paystack', { message: 'Kaput', type: 'validation_error', code: 'invalid_params' }, undefined],
    [
      'a fraud that is marked as a check',
      { message: 'Denied by fraud system', type: 'validation_error', code: 'denied' },
      { code: 'fraud_suspected', retry: 'never' },
    ],
    ['a possible duplicate', { message: 'Duplicate Transaction ID' }, { code: 'card_declined', retry: 'fix_input' }],
    ['a documented check of Paystack', { message: 'Invalid Email Address Passed' }, undefined],
    ['the merchant’s state', { message: 'Integration has been deactivated' }, undefined],
  ])('for %s', (_, error, expected) => {
    const decline = refusedCharge(400, { status: false, ...error });
    if (typeof expected === 'object') expect(decline).toMatchObject(expected);
    else expect(decline).toBe(expected);
  });

  it('is read by its status too: only HTTP 400, 402 and 422 have a bank’s words', () =>
    expect([401, 404, 408].map((status) => refusedCharge(status, { status: false, message: 'Declined' }))).toEqual([
      undefined,
      undefined,
      undefined,
    ]));
});

describe('the statuses that Paystack documents', () => {
  const money = { amount: 10_000, currency: 'NGN' };

  it.each([
    ['success', 'succeeded'],
    ['reversed', 'succeeded'],
    ['failed', 'declined'],
    ['abandoned', 'processing'],
    ['ongoing', 'processing'],
    ['pending', 'processing'],
    ['processing', 'processing'],
    ['queued', 'processing'],
    ['something new', 'processing'],
    ['send_pin', 'requires_action'],
    ['send_otp', 'requires_action'],
    ['send_phone', 'requires_action'],
    ['send_birthday', 'requires_action'],
    ['send_address', 'requires_action'],
    ['pay_offline', 'requires_action'],
    ['pending_bank_transfer', 'requires_action'],
  ])('read a transaction that is %s as %s', (status, kind) =>
    expect(toOutcome({ ...money, status }, 'att-1')).toMatchObject({ kind }),
  );

  it.each([
    ['pending', 'accepted'],
    ['processing', 'accepted'],
    ['needs-attention', 'accepted'],
    ['processed', 'succeeded'],
    ['failed', 'failed'],
    ['something new', 'accepted'],
  ])('read a refund that is %s as %s', (status, kind) =>
    expect(toRefundOutcome({ id: '1', status })).toMatchObject({ kind }),
  );
});
