import { describe, expect, it } from 'vitest';
import { type Decline, mayFailOver } from '#shared/domain/payments/declines.catalog.ts';
import { lookUp } from '#shared/psp/kit/declines.ts';
import {
  BANK_REASONS,
  FAILURE_REASONS,
  OTHER_REASONS,
  SCHEME_REASONS,
  toDecline,
} from '#shared/psp/mollie/declines.catalog.ts';
import { PAYMENT_STATUSES, REFUND_STATUSES, toRefundOutcome } from '#shared/psp/mollie/outcomes.rules.ts';
import { readPayment, readRefund } from '#shared/psp/mollie/schema.ts';
import documented from '#test/fixtures/mollie/documented-codes.json' with { type: 'json' };
import payment from '#test/fixtures/mollie/payment-open.json' with { type: 'json' };
import refund from '#test/fixtures/mollie/refund-pending.json' with { type: 'json' };
import { describeDocumentedCodes } from '#test/unit/psp/documented-codes.ts';

const failed = (fields: object): Decline => toDecline(readPayment({ ...payment, status: 'failed', ...fields }));
const byFailure = (failureReason: string) => failed({ details: { failureReason } });
const byStatus = (code: string) => failed({ statusReason: { code, message: '' } });
const byBank = (bankReasonCode: string) => failed({ details: { bankReasonCode } });
const STATUS_REASONS = { ...OTHER_REASONS, ...SCHEME_REASONS };
const ofStatus = (code: string) => (lookUp(STATUS_REASONS, code) ? byStatus(code) : undefined);

const READERS: Readonly<Record<string, (code: string) => Decline | string | undefined>> = {
  'failure reasons': (code) => (lookUp(FAILURE_REASONS, code) ? byFailure(code) : undefined),
  'card scheme reasons': ofStatus,
  'merchant reasons': ofStatus,
  'terminal reasons': ofStatus,
  'voucher reasons': ofStatus,
  'bank reasons of SEPA debits': (code) => (lookUp(BANK_REASONS, code) ? byBank(code) : undefined),
  'payment statuses': (code) => lookUp<string>(PAYMENT_STATUSES, code),
  'refund statuses': (code) => lookUp<string>(REFUND_STATUSES, code),
};

describeDocumentedCodes(
  'mollie',
  documented.lists.map((list) => ({ ...list, read: (code: string) => READERS[list.name]?.(code) })),
);

/** Plain refusals, technical faults of the schemes, and faults of the merchant's account. */
const ELSEWHERE = [
  'card_declined refused_by_issuer unknown_reason do_not_honor no_reason_to_decline',
  'error issuer_unavailable credit_issuer_unavailable unable_to_route_transaction unable_to_go_online',
  'system_malfunction format_error re_enter_transaction file_temporarily_unavailable',
  'merchant_id_not_found merchant_account_closed sub_merchant_account_closed merchant_not_registered_vbv',
  'merchant_not_registered_for_amex invalid_merchant_data invalid_category_code invalid_processor_id cvv2_not_allowed',
  'invalid_biller_information invalid_currency wrong_currency invalid_retailer terminal_id_not_found terminal_closed',
  'agreement_terminal_not_related transaction_not_allowed_at_terminal transaction_not_permitted_at_terminal',
].flatMap((line) => line.split(' '));

describe('a failed payment of Mollie', () => {
  it.each([
    ['lost_card', 'lost_card', 'never'],
    ['policy_related', 'transaction_not_allowed', 'never'],
    ['violation_of_law', 'transaction_not_allowed', 'never'],
    ['invalid_merchant', 'call_issuer', 'new_method'],
    ['approved_or_completed_successfully', 'card_declined', 'retry_same_later'],
    ['duplicate_transaction', 'card_declined', 'fix_input'],
    ['no_action_taken', 'card_declined', 'retry_same_later'],
    ['transaction_reversed', 'card_declined', 'retry_same_later'],
    ['do_not_honor', 'do_not_honor', 'retry_other_psp'],
    ['a_code_of_the_future', 'card_declined', 'retry_same_later'],
    ['constructor', 'card_declined', 'retry_same_later'],
  ])('with the scheme’s reason %s is %s, %s, whatever Mollie’s own plain reason says', (reason, code, retry) => {
    const fields = { details: { failureReason: 'card_declined' }, statusReason: { code: reason, message: '' } };
    expect(failed(fields)).toEqual({ code, retry, provider_code: reason });
    expect(byStatus(reason)).toMatchObject({ code, retry });
  });

  it.each([
    ['AM04', 'insufficient_funds', 'retry_same_later'],
    ['AC04', 'invalid_account', 'never'],
    ['MD01', 'authorization_revoked', 'never'],
    ['MS02', 'transaction_not_allowed', 'never'],
    ['MS03', 'card_declined', 'retry_same_later'],
    ['AM05', 'card_declined', 'fix_input'],
    ['XX99', 'card_declined', 'retry_same_later'],
  ])('with the bank’s reason %s is %s, %s', (reason, code, retry) => {
    expect(byBank(reason)).toEqual({ code, retry, provider_code: reason });
  });

  it('never goes elsewhere without a reason, or for one that is on no list', () => {
    for (const decline of [failed({}), byFailure('x'), byStatus('x'), byBank('x'), failed({ details: 7 })])
      expect(mayFailOver(decline)).toBe(false);
  });

  it('goes elsewhere for plain refusals, the issuer’s or the account’s faults only', () => {
    const elsewhere = documented.lists.slice(0, 6).flatMap(({ name, codes }) =>
      codes.filter((code) => {
        const decline = READERS[name]?.(code);
        return typeof decline === 'object' && mayFailOver(decline);
      }),
    );
    expect(elsewhere.toSorted()).toEqual(ELSEWHERE.toSorted());
  });
});

it('takes a refund of a status of the future for one that is under way', () => {
  expect(toRefundOutcome(readRefund({ ...refund, status: 'pondering' }))).toMatchObject({ kind: 'accepted' });
});
