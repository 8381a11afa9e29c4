import { describe, expect, it } from 'vitest';
import { settle } from '#shared/domain/payments/attempt.machine.ts';
import type { NetworkReport } from '#shared/domain/payments/network-report.model.ts';
import { snapshot } from '#shared/domain/payments/payment.events.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import type { Verdict } from '#shared/domain/payments/verdict.model.ts';
import { anAttempt, aPayment, says } from '#test/support/payment.builder.ts';
import { later } from '#test/support/stopped-clock.ts';

const REPORT: NetworkReport = {
  network_transaction_id: '123456789012345',
  avs: { code: 'Y', address: 'match' },
  cvc: 'match',
  eci: '05',
  liability_shift: true,
  card: { brand: 'visa', last4: '4242', funding: 'credit', issuer_country: 'DE', exp_month: 12, exp_year: 2030 },
};
const with_ = (verdict: Verdict, network: NetworkReport): Verdict => ({ ...verdict, network });
const settleAll = (...verdicts: readonly Verdict[]): Payment =>
  verdicts.reduce((p, verdict, n) => settle(p, 'att_1', verdict, later(n + 1)) ?? p, aPayment());
const reportIn = ({ attempts }: Payment) => {
  const { network_transaction_id, network_decline_code, advice_code, avs, cvc, eci, liability_shift, card } =
    attempts[0] ?? anAttempt();
  return { network_transaction_id, network_decline_code, advice_code, avs, cvc, eci, liability_shift, card };
};

describe('what the network says of an attempt', () => {
  it.each<[string, Verdict]>([
    ['succeeds', says.succeeded()],
    ['waits for the customer', says.requiresAction()],
    ['is not decided', says.processing()],
    ['fails', says.failed()],
    ['is canceled', says.canceled()],
  ])('is stored with an attempt that %s', (_, verdict) => {
    expect(reportIn(settleAll(with_(verdict, REPORT)))).toMatchObject(REPORT);
  });

  it('leaves the record as it was if the provider tells nothing', () => {
    expect(settleAll(says.succeeded()).attempts[0]).not.toHaveProperty('card');
  });

  it('is completed by later reports, which take nothing away', () => {
    const payment = settleAll(
      with_(says.processing(), { card: { brand: 'visa' }, avs: { address: 'match' } }),
      with_(says.processing(), { card: { last4: '4242' }, avs: { postal_code: 'mismatch' }, eci: '07' }),
      says.succeeded(),
    );
    expect(reportIn(payment)).toMatchObject({
      card: { brand: 'visa', last4: '4242' },
      avs: { address: 'match', postal_code: 'mismatch' },
      eci: '07',
    });
  });

  it('may come after the outcome, and then changes nothing else', () => {
    const payment = settleAll(says.succeeded());
    const after = settle(payment, 'att_1', with_(says.succeeded(), REPORT), later(5));
    expect(after && reportIn(after)).toMatchObject(REPORT);
    expect([after?.status, after?.outbox]).toEqual(['succeeded', payment.outbox]);
  });

  it('is no change if it says the same again', () => {
    const payment = settleAll(with_(says.succeeded(), REPORT));
    expect(settle(payment, 'att_1', with_(says.succeeded(), REPORT), later(5))).toBeUndefined();
  });

  it('stays away from an attempt that it is not about', () => {
    const payment = settleAll(says.succeeded());
    const other = with_(says.succeeded({ reference: 'ch_other' }), REPORT);
    expect(settle(payment, 'att_1', other, later(5))).toBeUndefined();
  });

  it("loses the codes of a decline when the customer pays after all on the provider's page", () => {
    const declined = with_(says.requiresAction(), { network_decline_code: '51', advice_code: '02', cvc: 'match' });
    const { network_decline_code, advice_code, cvc } = reportIn(settleAll(declined, says.succeeded()));
    expect([network_decline_code, advice_code, cvc]).toEqual([undefined, undefined, 'match']);
  });

  it('is of the card that paid alone, if another one was declined before', () => {
    const declined = with_(says.processing(), { ...REPORT, network_decline_code: '51', cvc: 'mismatch' });
    const paid = with_(says.succeeded(), { card: { brand: 'mastercard', last4: '4444' } });
    expect(reportIn(settleAll(declined, paid))).toEqual({ card: { brand: 'mastercard', last4: '4444' } });
  });

  it('loses a wrong security code when the customer pays after all, unless the charge has it too', () => {
    const declined = with_(says.processing(), { cvc: 'mismatch', card: { last4: '4242' } });
    const paid = with_(says.succeeded(), { card: { last4: '4242' } });
    expect(reportIn(settleAll(declined, paid)).cvc).toBeUndefined();
    expect(reportIn(settleAll(declined, with_(says.succeeded(), { cvc: 'mismatch' }))).cvc).toBe('mismatch');
  });

  it('is not that of a declined try beside the charge', () => {
    const payment = settleAll(with_(says.succeeded(), REPORT));
    const declined = with_(says.failed(), { network_decline_code: '51', cvc: 'mismatch' });
    expect(settle(payment, 'att_1', declined, later(5))).toBeUndefined();
  });

  it.each<[string, NetworkReport]>([
    ['an id of more than 100 characters', { network_transaction_id: 'x'.repeat(101) }],
    ['an id with a blank', { network_transaction_id: '1 2' }],
    ['a decline code with a line break', { network_decline_code: '5\n1' }],
    ['an indicator of one digit', { eci: '5' }],
    ['more than the last four digits', { card: { last4: '424242' } }],
    ['a country in lower case', { card: { issuer_country: 'de' } }],
    ['a brand in capitals', { card: { brand: 'VISA' } }],
    ['a month that does not exist', { card: { exp_month: 13 } }],
    ['a check with another word', { cvc: 'perhaps' as 'match' }],
    ['an unknown field', { ...({ pan: '4242424242424242' } as object) }],
  ])('is not stored if it has %s', (_, network) => {
    expect(settleAll(with_(says.succeeded(), network))).toEqual(settleAll(says.succeeded()));
  });
});

describe('an event', () => {
  const dataOf = (payment: Payment, type: string) => {
    const stub = payment.outbox.find((each) => each.type === type);
    return stub && snapshot(payment, stub);
  };

  it('of a success shows what the network said of its attempt', () => {
    const data = dataOf(settleAll(with_(says.succeeded(), REPORT)), 'payment.succeeded');
    expect(data).toMatchObject({ attempt: { id: 'att_1', ...REPORT } });
  });

  it('of a decline shows its codes', () => {
    const network = { network_decline_code: '05', advice_code: '03' };
    expect(dataOf(settleAll(with_(says.failed(), network)), 'payment.failed')).toMatchObject({
      attempt: { id: 'att_1', ...network },
    });
  });

  it('has no attempt if the provider told nothing of it', () => {
    expect(dataOf(settleAll(says.succeeded()), 'payment.succeeded')).not.toHaveProperty('attempt');
  });
});
