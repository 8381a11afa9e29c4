import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { type Dispute, disputeLife, isDispute, type StoredDispute } from '#lib/simulators/kit/dispute-life.ts';
import type { NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { notFound } from '#lib/simulators/mollie/errors.ts';
import { emitCallback } from '#lib/simulators/mollie/events.ts';
import { halPage } from '#lib/simulators/mollie/lists.ts';
import { amountOf } from '#lib/simulators/mollie/money.ts';
import { findPayment, isPayment, newMollieId, timestamp } from '#lib/simulators/mollie/objects.ts';
import { type ApiRequest, apiRoute } from '#lib/simulators/mollie/requests.ts';
import { DAY } from '#shared/kernel/clock.ts';

/** Banks give reasons for direct debits only. */
const REASONS: Readonly<Partial<Record<NewDispute['reason'], readonly [code: string, description: string]>>> = {
  debit_not_authorized: ['MD01', 'No mandate'],
  insufficient_funds: ['AM04', 'Insufficient funds'],
  duplicate: ['AM05', 'Duplicate collection'],
  processing_error: ['AC01', 'Account identifier incorrect (i.e. invalid IBAN)'],
};

/** A chargeback as responses show it. */
export function chargebackView({ id, parent, body }: StoredDispute): { readonly [field: string]: unknown } {
  const [code, description] = REASONS[body.reason] ?? [];
  const paymentUrl = `https://api.mollie.com/v2/payments/${parent}`;
  const type = 'application/hal+json';
  return {
    resource: 'chargeback',
    id,
    amount: amountOf(body.amount, body.currency),
    reason: code === undefined ? null : { code, description },
    paymentId: parent,
    createdAt: timestamp(new Date(body.openedAt)),
    ...(body.state === 'won' && { reversedAt: timestamp(new Date(body.changedAt)) }),
    _links: {
      self: { href: `${paymentUrl}/chargebacks/${id}`, type },
      payment: { href: paymentUrl, type },
      documentation: { href: 'https://docs.mollie.com/reference/get-chargeback', type: 'text/html' },
    },
  };
}

/** Only the payment's own callback tells of a chargeback, and only of its beginning and its reversal. */
function tell(work: UnitOfWork, dispute: StoredDispute, before: Dispute['state'] | undefined): void {
  const payment = work.objects.find(dispute.parent, isPayment);
  if (payment && (before === undefined || dispute.body.state === 'won')) emitCallback(work, payment);
}

const life = disputeLife({
  newId: () => newMollieId('chb'),
  timeToAnswerMs: 3_650 * DAY,
  currencyOf: (charged) => (isPayment(charged) ? charged.body.amount.currency : undefined),
  tell,
});

export const { controls: disputeControls } = life;

const PARAMETERS = ['embed', 'from', 'limit'];

function listChargebacks(request: ApiRequest, work: UnitOfWork): object {
  const { id } = findPayment(work, request.id);
  const all = work.objects
    .childrenOf(id)
    .filter(isDispute)
    .toReversed()
    .map((dispute) => ({ ...dispute, body: chargebackView(dispute) }));
  const url = `https://api.mollie.com/v2/payments/${id}/chargebacks`;
  return halPage(all, request, { url, name: 'chargebacks', documentation: 'list-chargebacks' });
}

function getChargeback({ id, call }: ApiRequest, work: UnitOfWork): object {
  const token = call.params.chargeback ?? '';
  const dispute = findOwned(work, token, isDispute);
  if (dispute?.parent !== findPayment(work, id).id) throw notFound(token);
  return chargebackView(dispute);
}

export const disputeRoutes = [
  apiRoute('GET', '/v2/payments/{id}/chargebacks', 'dispute', { query: PARAMETERS, run: listChargebacks }),
  apiRoute('GET', '/v2/payments/{id}/chargebacks/{chargeback}', 'dispute', { query: ['embed'], run: getChargeback }),
];
