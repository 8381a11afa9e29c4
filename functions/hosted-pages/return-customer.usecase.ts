import { type Arrival, arrivalOf, paymentUrl } from '#functions/hosted-pages/link-session.ts';
import { isRetryForm, retryReturnedPayment } from '#functions/hosted-pages/retry-returned-payment.usecase.ts';
import { returnPage } from '#functions/hosted-pages/return-page.ts';
import { claimsPayment, merchantReturnUrl, splitReturnQuery } from '#functions/hosted-pages/return-url.rules.ts';
import { sentFields } from '#functions/hosted-pages/sent-fields.ts';
import { currentAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { plus, SECOND } from '#shared/kernel/clock.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { noteCause } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { isToken, returnToken } from '#shared/services/payments/charge-order.service.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';
import { continueAttempt } from '#shared/services/payments/charge-payment.service.ts';
import { pollNow } from '#shared/services/payments/poll-payment.service.ts';

type ReturnCustomerDeps = ChargeDeps & Pick<Deps, 'organizations' | 'rates'>;

/**
 * The customer comes back from the PSP's page. Settles the payment and redirects to the merchant's `return_url`, or to
 * the payment link. Without either, our own page says how the payment ended.
 */
export async function returnCustomer(request: RawRequest, deps: ReturnCustomerDeps): Promise<RawResponse> {
  const { token, parameters } = splitReturnQuery(request.query);
  const payment = await returnedPayment(request.params.payment_id ?? '', token, deps);
  if (request.method === 'HEAD') return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } };
  noteCause('customer');
  if (isRetryForm(request)) return retryReturnedPayment(payment, request, deps);
  const settled = await resumePayment(payment, request, parameters, deps);
  return onward(settled, arrivalAfter(payment, settled, request, parameters), request, deps);
}

async function returnedPayment(id: string, token: string, deps: Pick<Deps, 'config' | 'payments'>): Promise<Payment> {
  const isOurs = isToken(token, returnToken(id), deps.config);
  const payment = isOurs ? await deps.payments.byId(id) : undefined;
  if (!payment) throw new AppError('not_found', 'This payment does not exist.');
  return payment;
}

/**
 * If the customer has to do what they had to do before, they left without doing it, or the provider does not know yet.
 * Anything else that they have to do now is on their way.
 */
function arrivalAfter(
  before: Payment,
  { status, next_action }: Payment,
  request: RawRequest,
  parameters: Readonly<Record<string, string>>,
): Arrival | undefined {
  if (status !== 'requires_action') return undefined;
  const isSame = JSON.stringify(next_action) === JSON.stringify(before.next_action);
  if (!isSame || arrivalOf(request) === 'go') return 'go';
  return claimsPayment({ ...parameters, ...formFields(request) }) ? 'unconfirmed' : 'stopped';
}

function onward(
  payment: Payment,
  arrival: Arrival | undefined,
  request: RawRequest,
  deps: ReturnCustomerDeps,
): Promise<RawResponse> | RawResponse {
  const { id, payment_link_id, return_url } = payment;
  if (payment_link_id !== null) return seeOther(paymentUrl(payment_link_id, id, deps.config, arrival));
  if (return_url !== null) return seeOther(merchantReturnUrl(return_url, payment));
  return returnPage(payment, { arrival, request }, deps);
}

const seeOther = (location: string): RawResponse => ({ status: 303, headers: { location } });

/** Some PSPs are sent the returned parameters; the others are queried. The parameters alone prove nothing. */
async function resumePayment(
  payment: Payment,
  request: RawRequest,
  parameters: Readonly<Record<string, string>>,
  deps: ReturnCustomerDeps,
): Promise<Payment> {
  const isOpen = payment.status === 'requires_action' || payment.status === 'processing';
  if (!isOpen || arrivalOf(request) === 'go') return payment;
  const attempt = currentAttempt(payment);
  if (attempt && isReload(request) && wasJustPolled(attempt, deps)) return payment;
  const adapter = attempt && deps.psp.adapter(attempt.provider);
  const returned = { ...parameters, ...formFields(request) };
  const input = attempt && canContinue(payment, attempt) ? adapter?.readReturn?.(returned) : undefined;
  return attempt && input ? continueAttempt(payment, attempt, input, deps) : pollNow(payment, deps);
}

/** A waiting page reloads by itself every few seconds. */
const isReload = ({ query }: RawRequest): boolean => query.again !== undefined;
const RELOAD_POLL_INTERVAL = 10 * SECOND;

const wasJustPolled = ({ asked_at }: Attempt, { clock }: Pick<Deps, 'clock'>): boolean =>
  asked_at !== undefined && plus(asked_at, RELOAD_POLL_INTERVAL) > clock.now();

/** Also after a call whose response was lost: the same parameters make the same call. */
const canContinue = ({ status }: Payment, { phase, handed_out }: Attempt): boolean =>
  status === 'requires_action' || (phase === 'unknown' && handed_out === true);

/** Some providers post their parameters as a form. */
function formFields(request: RawRequest): Readonly<Record<string, string>> {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return isForm ? Object.fromEntries(sentFields(request)) : {};
}
