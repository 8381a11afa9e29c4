import * as z from 'zod';
import { guestCaller, type StartInput } from '#functions/hosted-pages/guest-caller.ts';
import {
  closedReason,
  formFieldsOf,
  type LinkRequest,
  loadLink,
  payableMethodsOf,
  startPage,
} from '#functions/hosted-pages/link-page.ts';
import { paymentCookie, paymentUrl, sessionPayment, verifyForm } from '#functions/hosted-pages/link-session.ts';
import { sentFields } from '#functions/hosted-pages/sent-fields.ts';
import { startLinkPayment } from '#functions/hosted-pages/start-link-payment.usecase.ts';
import { typedInput } from '#functions/hosted-pages/typed-input.rules.ts';
import type { FormField, Notice } from '#functions/hosted-pages/views/link-view.model.ts';
import { declineOf, failureOf } from '#shared/domain/payments/declines.catalog.ts';
import { currentAttempt } from '#shared/domain/payments/payment.machine.ts';
import type { Payment } from '#shared/domain/payments/payment.model.ts';
import { Country, CustomerEmail } from '#shared/http/schema/common.schema.ts';
import { containsCardNumber } from '#shared/kernel/card-number.ts';
import { AppError, orNotFound } from '#shared/kernel/errors.ts';
import { noteCause } from '#shared/kernel/operation.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';
import { cancelPayment } from '#shared/services/payments/cancel-payment.service.ts';
import type { ChargeDeps } from '#shared/services/payments/charge-payment.service.ts';
import { continueAttempt } from '#shared/services/payments/charge-payment.service.ts';
import { assertInputExpected } from '#shared/services/payments/customer-input.service.ts';
import { endUnpaidAttempt } from '#shared/services/payments/reconcile-payment.service.ts';

type LinkActionsDeps = Pick<
  Deps,
  | 'clock'
  | 'config'
  | 'connections'
  | 'log'
  | 'paymentMethods'
  | 'payments'
  | 'psp'
  | 'pspDeadline'
  | 'retryBudget'
  | 'vault'
>;

type FormDeps = ChargeDeps & Pick<Deps, 'organizations' | 'paymentLinks' | 'rates'>;

type SubmittedForm = LinkRequest & { readonly form: string; readonly fields: Readonly<Record<string, string>> };

/** The actions of a link's page, by the value of the pressed button. */
const LINK_ACTIONS: ReadonlyMap<string, (submitted: SubmittedForm, deps: FormDeps) => Promise<RawResponse>> = new Map([
  ['start', startPayment],
  ['continue', continuePayment],
  ['cancel', cancelLinkPayment],
]);

/** A form sent from a payment link's page. It is accepted only if this browser was shown it. */
export async function submitLinkForm(request: RawRequest, deps: FormDeps): Promise<RawResponse> {
  const linkRequest = await loadLink(request, deps);
  const fields = Object.fromEntries(sentFields(request));
  if (containsCardNumber(fields))
    throw new AppError('raw_card_data', 'The form contains a card number. Enter it on the page of the provider only.');
  const form = verifyForm(request, linkRequest.link.id, fields.csrf ?? '', deps.config);
  const action = LINK_ACTIONS.get(fields.do ?? '');
  if (form === undefined || !action) return { ...startPage(linkRequest, { kind: 'stale' }, deps), status: 403 };
  noteCause('customer');
  return action({ ...linkRequest, form, fields }, deps);
}

async function startPayment(
  submitted: SubmittedForm,
  deps: ChargeDeps & Pick<Deps, 'paymentLinks' | 'rates'>,
): Promise<RawResponse> {
  const { link, routingData, request } = submitted;
  const { start, errors } = readStartForm(submitted, deps);
  if (!start) return { ...startPage(submitted, null, deps, { values: submitted.fields, errors }), status: 400 };
  await assertStartsLeft(request.ip, deps);
  const payment = await startLinkPayment(link, start, routingData, deps);
  if (payment === 'no_slot') return { ...startPage(await reloadLink(submitted, deps), null, deps), status: 409 };
  if (payment === 'not_open')
    return { ...startPage(submitted, NOT_OPEN, deps, { values: submitted.fields, errors: [] }), status: 409 };
  const url = paymentUrl(link.id, payment.id, deps.config, 'go');
  return seeOther(url, [paymentCookie(link.id, payment.id, deps.config)]);
}

/** For any start of a payment by a customer, whom only the address identifies. */
export async function assertStartsLeft(ip: string, { rates, clock }: Pick<Deps, 'rates' | 'clock'>): Promise<void> {
  const { exceeded } = await rates.countLinkStart(ip, clock.now());
  if (!exceeded) return;
  const message = `Too many payments were started from this IP address. Try again in ${exceeded.retryAfter} seconds.`;
  throw new AppError('rate_limited', message, exceeded);
}

/** The reason is the merchant's business, not the customer's. */
const NOT_OPEN: Notice = { kind: 'declined', failure: failureOf(declineOf('no_route')) };

/** The link refused the start: it has changed since it was read, or all its remaining slots are held. */
async function reloadLink(
  submitted: SubmittedForm,
  { paymentLinks, clock }: Pick<Deps, 'paymentLinks' | 'clock'>,
): Promise<SubmittedForm> {
  const link = (await paymentLinks.byId(submitted.link.id)) ?? submitted.link;
  return { ...submitted, link: closedReason(link, clock.now()) ? link : { ...link, slots_left: 0 } };
}

const emptyToUndefined = (text: unknown) => (typeof text === 'string' && text.trim() === '' ? undefined : text);

/** The fields of the start form. The page has its own message for each invalid field. */
const StartFields = z.object({
  method: z.string(),
  country: z.preprocess(emptyToUndefined, Country.optional()),
  email: z.preprocess(emptyToUndefined, CustomerEmail.optional()),
});

type ReadForm = { readonly start?: StartInput; readonly errors: readonly FormField[] };

function readStartForm({ form, fields, link, request, routingData }: SubmittedForm, deps: Pick<Deps, 'psp'>): ReadForm {
  const methods = payableMethodsOf({ link, routingData }, deps);
  const parsed = StartFields.safeParse({ method: methods[0] ?? link.methods[0], ...fields });
  if (!parsed.success) return { errors: parsed.error.issues.map(({ path }) => path[0] as FormField) };
  const { method, country, email } = parsed.data;
  const presence = formFieldsOf({ link, request, routingData }, deps);
  const errors: FormField[] = [
    ...(methods.includes(method) ? [] : (['method'] as const)),
    ...(presence.country === 'required' && country === undefined ? (['country'] as const) : []),
    ...(presence.email === 'required' && email === undefined ? (['email'] as const) : []),
  ];
  if (errors.length > 0) return { errors };
  return {
    errors,
    start: { form, ip: request.ip, method, ...(country && { country }), ...(email && { customer_email: email }) },
  };
}

/** Passes on the customer's input, such as a code from the bank. */
async function continuePayment({ request, link, fields }: SubmittedForm, deps: LinkActionsDeps): Promise<RawResponse> {
  const payment = await currentPayment({ request, link }, deps);
  const attempt = currentAttempt(payment);
  const url = paymentUrl(link.id, payment.id, deps.config, 'go');
  if (payment.next_action?.type !== 'collect' || !attempt) return seeOther(url);
  const { csrf: _, do: __, ...typed } = fields;
  const input = typedInput(payment.next_action.field, typed);
  assertInputExpected(payment, input);
  const after = await continueAttempt(payment, attempt, input, deps);
  const isUnchanged =
    after.status === 'requires_action' && JSON.stringify(after.next_action) === JSON.stringify(payment.next_action);
  return seeOther(isUnchanged ? `${url}&refused=1` : url);
}

/**
 * The customer wants to pay another way, or to stop. Some PSPs cannot end their page: if nobody has paid there, the
 * payment ends here, as it does when its time is over. Money that still comes is counted, or refunded if the link was
 * paid another way. If the payment is being processed or reviewed, the page shows its status.
 */
async function cancelLinkPayment(
  { request, link, routingData, form }: SubmittedForm,
  deps: LinkActionsDeps,
): Promise<RawResponse> {
  const payment = await currentPayment({ request, link }, deps);
  const url = paymentUrl(link.id, payment.id, deps.config);
  if (payment.status !== 'requires_action' || payment.review) return seeOther(url);
  try {
    await cancelPayment({ id: payment.id }, guestCaller(link, { form, ip: request.ip }, routingData), deps);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'payment_not_cancelable') await abandonPayment(payment.id, deps);
  }
  return seeOther(url);
}

async function abandonPayment(id: string, deps: LinkActionsDeps): Promise<void> {
  const payment = await deps.payments.byId(id);
  if (payment?.status === 'requires_action' && !payment.review) await endUnpaidAttempt(payment, deps);
}

async function currentPayment(
  { request, link }: Pick<LinkRequest, 'request' | 'link'>,
  { payments, config }: Pick<Deps, 'payments' | 'config'>,
): Promise<Payment> {
  const session = sessionPayment(request, config);
  const payment = session && (await payments.get(link.org_id, session.id));
  return orNotFound(payment?.payment_link_id === link.id ? payment : undefined, 'This payment does not exist.');
}

const seeOther = (location: string, cookies: readonly string[] = []): RawResponse => ({
  status: 303,
  headers: { location },
  cookies,
});
