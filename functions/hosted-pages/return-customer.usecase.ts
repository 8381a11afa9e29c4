import { siteOf } from '#functions/hosted-pages/link-page.ts';
import { paymentUrl } from '#functions/hosted-pages/link-session.ts';
import { languageOf } from '#functions/hosted-pages/views/i18n.page.ts';
import { renderThanks } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { currentAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Attempt, Payment } from '#shared/domain/payments/payment.model.ts';
import { AppError } from '#shared/kernel/errors.ts';
import { timingSafeEqual } from '#shared/kernel/text.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { returnToken } from '#shared/services/payments/charge-order.service.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';
import { continueAttempt } from '#shared/services/payments/charge-payment.service.ts';
import { pollNow } from '#shared/services/payments/reconcile-payment.service.ts';

type ReturnCustomerDeps = ChargeDeps & Pick<Deps, 'organizations'>;

/**
 * The customer comes back from the PSP's page. Settles the payment and redirects to the merchant's `return_url`, or to
 * the payment link.
 */
export async function returnCustomer(request: RawRequest, deps: ReturnCustomerDeps): Promise<RawResponse> {
  const { params, query } = request;
  const id = params.payment_id ?? '';
  const payment = timingSafeEqual(query.t ?? '', returnToken(id, deps.config))
    ? await deps.payments.byId(id)
    : undefined;
  if (!payment) throw new AppError('not_found', 'This payment does not exist.');
  const settled = await resumePayment(payment, request, deps);
  if (settled.payment_link_id !== null)
    return { status: 303, headers: { location: paymentUrl(settled.payment_link_id, id, deps.config) } };
  if (settled.return_url === null) {
    const page = renderThanks(languageOf(request.headers['accept-language']), siteOf(deps.config));
    return { status: 200, headers: page.headers, body: page.html };
  }
  return { status: 303, headers: { location: merchantReturnUrl(settled, settled.return_url) } };
}

/** Some PSPs are sent the returned parameters; the others are queried. The parameters alone prove nothing. */
async function resumePayment(payment: Payment, request: RawRequest, deps: ReturnCustomerDeps): Promise<Payment> {
  if (payment.status !== 'requires_action' && payment.status !== 'processing') return payment;
  const attempt = currentAttempt(payment);
  const adapter = attempt && deps.psp.adapter(attempt.provider);
  const input = attempt && canContinue(payment, attempt) ? adapter?.readReturn?.(returnParameters(request)) : undefined;
  return attempt && input ? continueAttempt(payment, attempt, input, deps) : pollNow(payment, deps);
}

/** Also after a call whose response was lost: the same parameters make the same call. */
const canContinue = ({ status }: Payment, { phase, handed_out }: Attempt): boolean =>
  status === 'requires_action' || (phase === 'unknown' && handed_out === true);

/** The parameters of the query and the form, without our own token. */
function returnParameters({
  query: { t: _, ...query },
  rawBody,
  headers,
}: RawRequest): Readonly<Record<string, string>> {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  const fields = isForm ? Object.fromEntries(new URLSearchParams(rawBody.toString('utf8'))) : {};
  const present = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return { ...Object.fromEntries(present), ...fields };
}

function merchantReturnUrl(payment: Payment, returnUrl: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment_id', payment.id);
  url.searchParams.set('status', payment.status);
  return url.href;
}
