import { newForm } from '#functions/hosted-pages/link-session.ts';
import { type StartFormFields, startFormFields, walletNames } from '#functions/hosted-pages/start-form-fields.rules.ts';
import type {
  ClosedReason,
  LinkSummary,
  LinkView,
  Notice,
  StartForm,
} from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import type { Organization } from '#shared/domain/accounts/organization.model.ts';
import { settingsOf } from '#shared/domain/accounts/organization.rules.ts';
import { payableMethods } from '#shared/domain/links/link-methods.rules.ts';
import { statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import { languageOf } from '#shared/domain/reference/languages.rules.ts';
import { capturesLater } from '#shared/domain/routing/candidates.rules.ts';
import { orNotFound } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { RoutingData } from '#shared/ports/organizations.port.ts';
import type { RawRequest, RawResponse } from '#shared/ports/raw-request.port.ts';

/** A request to a link's page, with the link and its organization. */
export type LinkRequest = {
  readonly request: RawRequest;
  readonly link: PaymentLink;
  readonly routingData: RoutingData;
};

export async function loadLink(
  request: RawRequest,
  { paymentLinks, organizations }: Pick<Deps, 'paymentLinks' | 'organizations'>,
): Promise<LinkRequest> {
  const link = orNotFound(await paymentLinks.byId(request.params.id ?? ''), 'This payment link does not exist.');
  return { request, link, routingData: await organizations.routingData(link.org_id) };
}

export function factsOf({ link, routingData: { organization } }: LinkRequest): LinkSummary {
  const { id, amount, currency, description, mode, expires_at } = link;
  return { id, ...payeeOf(organization), amount, currency, description, mode, expires_at };
}

/** Who is paid, as far as the organization tells its customers. */
export function payeeOf(organization: Organization | undefined): Pick<LinkSummary, 'merchant' | 'seller'> {
  if (!organization) return { merchant: '' };
  const { name, legal_name } = organization;
  const { support_email, support_phone, website_url, logo_url } = settingsOf(organization);
  return { merchant: name, seller: { legal_name, support_email, support_phone, website_url, logo_url } };
}

/** The methods that can be paid with now: a connection may have been added or removed since the link was made. */
export function payableMethodsOf(
  { link, routingData }: Pick<LinkRequest, 'link' | 'routingData'>,
  { psp }: Pick<Deps, 'psp'>,
) {
  return payableMethods(link, routingData.connections, (provider) => psp.adapter(provider));
}

export function formFieldsOf({ link, routingData }: LinkRequest, { psp }: Pick<Deps, 'psp'>): StartFormFields {
  const { amount, currency } = link;
  const { organization } = routingData;
  return startFormFields(link, routingData, {
    supportsAmount: (provider) => psp.adapter(provider)?.supportsAmount(amount, currency, true) ?? false,
    capturesLater: (connection, method) =>
      capturesLater(connection.capabilities, method, psp.adapter(connection.provider)?.manualCapture),
    needsEmail: (provider) => psp.adapter(provider)?.requiresEmail === true,
    mailsReceipts: organization !== undefined && settingsOf(organization).email_receipts,
  });
}

/** Whether the page sends HSTS. */
export const siteOf = ({ apiUrl }: Pick<Deps['config'], 'apiUrl'>) => ({ secure: apiUrl.startsWith('https:') });

type EnteredForm = Pick<StartForm, 'values' | 'errors'>;

/** The payment form, or why the link takes no payment now. */
export function startPage(
  linkRequest: LinkRequest,
  notice: Notice | null,
  deps: Pick<Deps, 'clock' | 'config' | 'psp'>,
  { values, errors }: EnteredForm = { values: {}, errors: [] },
): RawResponse {
  const { request, link } = linkRequest;
  const methods = payableMethodsOf(linkRequest, deps);
  const closed = closedReason(link, deps.clock.now()) ?? (methods.length === 0 ? 'unavailable' : undefined);
  if (closed) return viewPage(linkRequest, { kind: 'closed', link: factsOf(linkRequest), reason: closed }, deps);
  const { csrf, cookies } = newForm(request, link.id, deps.config);
  const fields = { ...formFieldsOf(linkRequest, deps), wallets: walletNames(linkRequest.routingData) };
  const form = { csrf, methods, ...fields, values, errors };
  return { ...viewPage(linkRequest, { kind: 'form', link: factsOf(linkRequest), form, notice }, deps), cookies };
}

export function closedReason(link: PaymentLink, at: Date): ClosedReason | undefined {
  const status = statusAt(link, at);
  if (status === 'completed') return link.max_payments === 1 ? 'paid' : 'completed';
  if (status !== 'active') return status;
  return link.slots_left < 1 ? 'busy' : undefined;
}

export function viewPage({ request }: LinkRequest, view: LinkView, { config }: Pick<Deps, 'config'>): RawResponse {
  const { html, headers } = renderLinkPage(view, languageOf(request.headers['accept-language']), siteOf(config));
  return { status: 200, headers, body: html };
}
