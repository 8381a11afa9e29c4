import { apiError, invalid } from '#lib/simulators/adyen/errors.ts';
import { notify } from '#lib/simulators/adyen/events.ts';
import { fromIsoUnits, toIsoUnits } from '#lib/simulators/adyen/money.ts';
import { type Amount, isPayment, newPspReference } from '#lib/simulators/adyen/objects.ts';
import { type ApiRequest, apiRoute, type Body, textIn } from '#lib/simulators/adyen/requests.ts';
import { findOwned } from '#lib/simulators/kit/account-scope.ts';
import { DISPUTE_KIND } from '#lib/simulators/kit/disputes.ts';
import type { StoredObject } from '#lib/simulators/kit/object-store.ts';
import type { DisputeControls, NewDispute, UnitOfWork } from '#lib/simulators/kit/provider-simulator.port.ts';
import { DAY } from '#shared/kernel/clock.ts';

type Dispute = {
  readonly amount: Amount;
  readonly reasonCode: string;
  readonly reason: string;
  readonly defensePeriodEndsAt: string;
  readonly status: 'rfi' | 'undefended' | 'won' | 'lost' | 'accepted' | 'expired';
};

type StoredDispute = StoredObject<Dispute>;

type Step = Parameters<DisputeControls['move']>[1];
type State = ReturnType<DisputeControls['describe']>['state'];

export const isDispute = (stored: StoredObject): stored is StoredDispute => stored.kind === DISPUTE_KIND;

const TIME_TO_DEFEND_MS = 14 * DAY;

/** Our words for reasons → Visa's code, and Adyen's words for it. */
const REASONS: Readonly<Record<NewDispute['reason'], readonly [code: string, words: string]>> = {
  fraudulent: ['10.4', 'Other Fraud-Card Absent Environment'],
  unrecognized: ['4863', 'Cardholder does not recognize'],
  duplicate: ['12.6.1', 'Duplicate Processing'],
  product_not_received: ['13.1', 'Merchandise/Services Not Received'],
  product_unacceptable: ['13.3', 'Not as Described or Defective Merchandise/Services'],
  subscription_canceled: ['13.2', 'Cancelled Recurring Transaction'],
  credit_not_processed: ['13.6', 'Credit Not Processed'],
  processing_error: ['12.5', 'Incorrect Amount'],
  authorization: ['11.3', 'No Authorization'],
  debit_not_authorized: ['MD01', 'No Mandate'],
  insufficient_funds: ['AM04', 'Insufficient Funds'],
  general: ['502', 'Cardmember Dispute'],
};

/** As Adyen writes it: without milliseconds, and with an offset. */
const adyenTime = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00');

function tell(work: UnitOfWork, dispute: StoredDispute, eventCode: string, disputeStatus: string): void {
  const payment = work.objects.find(dispute.parent, isPayment);
  if (!payment) return;
  const { amount, reason, reasonCode, defensePeriodEndsAt } = dispute.body;
  const prefix = eventCode === 'REQUEST_FOR_INFORMATION' ? 'rfi' : 'chargeback';
  notify(work, payment, {
    eventCode,
    success: true,
    pspReference: dispute.id,
    originalReference: payment.id,
    amount,
    reason,
    additionalData: {
      [`${prefix}ReasonCode`]: reasonCode,
      [`${prefix}SchemeCode`]: 'visa',
      defendable: 'true',
      defensePeriodEndsAt,
      disputeStatus,
    },
  });
}

/** Nothing is withheld for a request for information, and nothing once the dispute is won. */
function keepBook(work: UnitOfWork, { id, paymentId, body: { amount, status } }: StoredDispute): void {
  work.recordDispute({ id, paymentId, withheld: status === 'rfi' || status === 'won' ? 0 : toIsoUnits(amount) });
}

const CHARGEBACK = ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK'];
/** The bank goes on after Adyen has won the money back. */
const REOPENED = ['PREARBITRATION_OPEN'];

/** The bank takes the money, and the merchant may defend it. */
function charge(work: UnitOfWork, dispute: StoredDispute, eventCodes: readonly string[]): void {
  const due = work.now.getTime() + TIME_TO_DEFEND_MS;
  const body: Dispute = { ...dispute.body, status: 'undefended', defensePeriodEndsAt: adyenTime(due) };
  const stored: StoredDispute = work.objects.put({ ...dispute, due, body });
  keepBook(work, stored);
  for (const code of eventCodes) tell(work, stored, code, 'Undefended');
}

function open(charged: StoredObject, { amount, reason, inquiry }: NewDispute, work: UnitOfWork): string | undefined {
  if (!isPayment(charged)) return undefined;
  const { account, paymentId, id: parent } = charged;
  const { currency } = charged.body.amount;
  const [reasonCode, words] = REASONS[reason];
  const due = work.now.getTime() + TIME_TO_DEFEND_MS;
  const dispute: StoredDispute = {
    id: newPspReference(),
    account,
    kind: DISPUTE_KIND,
    paymentId,
    parent,
    due,
    body: {
      amount: { value: fromIsoUnits(amount, currency), currency },
      reasonCode,
      reason: words,
      defensePeriodEndsAt: adyenTime(due),
      status: 'rfi',
    },
    notes: null,
  };
  if (!inquiry) {
    charge(work, dispute, CHARGEBACK);
    return dispute.id;
  }
  const stored: StoredDispute = work.objects.put(dispute);
  keepBook(work, stored);
  tell(work, stored, 'REQUEST_FOR_INFORMATION', 'Unresponded');
  return dispute.id;
}

type End = 'won' | 'lost' | 'accepted' | 'expired';

const END_EVENTS: Readonly<Record<End, readonly [eventCode: string, disputeStatus: string]>> = {
  won: ['CHARGEBACK_REVERSED', 'Won'],
  lost: ['SECOND_CHARGEBACK', 'Lost'],
  accepted: ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Accepted'],
  expired: ['DISPUTE_DEFENSE_PERIOD_ENDED', 'Lost'],
};

function end(work: UnitOfWork, dispute: StoredDispute, status: End): void {
  const stored: StoredDispute = work.objects.put({ ...dispute, due: null, body: { ...dispute.body, status } });
  keepBook(work, stored);
  tell(work, stored, ...END_EVENTS[status]);
}

function move(dispute: StoredObject, step: Step, work: UnitOfWork): void {
  if (!isDispute(dispute)) return;
  const { status } = dispute.body;
  if (step === 'escalate' && status === 'rfi') charge(work, dispute, CHARGEBACK);
  if (step === 'reopen' && status === 'won') charge(work, dispute, REOPENED);
  if ((step === 'won' || step === 'lost') && status === 'undefended') end(work, dispute, step);
}

const STATES: Readonly<Record<Dispute['status'], State>> = {
  rfi: 'inquiry',
  undefended: 'needs_response',
  won: 'won',
  lost: 'lost',
  accepted: 'accepted',
  expired: 'expired',
};

const describe: DisputeControls['describe'] = (stored) => {
  if (!isDispute(stored)) throw new Error(`${stored.id} is no dispute.`);
  const { status, amount } = stored.body;
  return { state: STATES[status], amount: toIsoUnits(amount), charge: stored.parent };
};

export const disputeControls: DisputeControls = { open, move, describe };

/** Nobody defended the dispute in time. A request for information simply ends. */
export function expireDispute(work: UnitOfWork, dispute: StoredDispute): void {
  if (dispute.body.status === 'undefended') end(work, dispute, 'expired');
  else work.objects.put({ ...dispute, due: null });
}

function checkAccept(body: Body): void {
  if (textIn(body, 'merchantAccountCode') === '') throw invalid('901', 'Invalid Merchant Account');
  if (textIn(body, 'disputePspReference') === '') throw invalid('702', 'Required field disputePspReference is not set');
  const unknown = Object.keys(body).find((name) => name !== 'merchantAccountCode' && name !== 'disputePspReference');
  if (unknown !== undefined) throw invalid('702', `Structure contains the following unknown fields: [${unknown}]`);
}

const result = (errorMessage?: string) => ({
  disputeServiceResult: { success: errorMessage === undefined, ...(errorMessage && { errorMessage }) },
});

/** An accept that comes too late is answered with 200, and no success. */
function acceptDispute({ body }: ApiRequest, work: UnitOfWork): object {
  if (textIn(body, 'merchantAccountCode') !== work.accountPublicId)
    throw apiError(403, '901', 'Invalid Merchant Account', 'security');
  const dispute = findOwned(work, textIn(body, 'disputePspReference'), isDispute);
  if (!dispute) return result('The dispute was not found.');
  if (dispute.body.status !== 'undefended') return result('The dispute cannot be accepted.');
  end(work, dispute, 'accepted');
  return result();
}

/** Belongs to the Disputes API, which has its own host at Adyen. */
export const disputeRoutes = [
  apiRoute({
    method: 'POST',
    path: '/ca/services/DisputeService/v30/acceptDispute',
    operation: 'dispute',
    status: 200,
    check: checkAccept,
    run: acceptDispute,
  }),
];
