import { type AskedFields, askedFields } from '#functions/hosted-pages/asked-fields.rules.ts';
import { newForm } from '#functions/hosted-pages/link-session.ts';
import { languageOf } from '#functions/hosted-pages/views/language.page.ts';
import type { FormField, LinkFacts, LinkView, Notice } from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { statusAt } from '#shared/domain/links/payment-link.machine.ts';
import type { PaymentLink } from '#shared/domain/links/payment-link.model.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { need } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';
import type { Setup } from '#shared/ports/organizations.port.ts';

/** A visit to a link's page: the link and its organization. */
export type Visit = { readonly request: RawRequest; readonly link: PaymentLink; readonly setup: Setup };

export async function openVisit(
  request: RawRequest,
  { paymentLinks, organizations }: Pick<Deps, 'paymentLinks' | 'organizations'>,
): Promise<Visit> {
  const link = need(await paymentLinks.byId(request.params.id ?? ''), 'There is no such payment link.');
  return { request, link, setup: await organizations.setup(link.org_id) };
}

export function factsOf({ link, setup }: Visit): LinkFacts {
  const { id, amount, currency, description, mode, expires_at } = link;
  return { id, merchant: setup.organization?.name ?? '', amount, currency, description, mode, expires_at };
}

export function fieldsOf({ link, setup }: Visit, { psp }: Pick<Deps, 'psp'>): AskedFields {
  const { amount, currency } = link;
  return askedFields(link, setup, {
    canExpress: (provider) => psp.adapter(provider)?.canExpress(amount, currency, true) ?? false,
    needsEmail: (provider) => psp.adapter(provider)?.needsEmail === true,
  });
}

/** Whether the page may send HSTS. */
export const siteAt = ({ apiUrl }: Pick<Deps['config'], 'apiUrl'>) => ({ secure: apiUrl.startsWith('https:') });

type Filled = { readonly values: Readonly<Partial<Record<FormField, string>>>; readonly faults: readonly FormField[] };

/** The payment form where the link takes a payment now, otherwise the reason why not. */
export function startPage(
  visit: Visit,
  notice: Notice | null,
  deps: Deps,
  { values, faults }: Filled = { values: {}, faults: [] },
): RawReply {
  const { request, link } = visit;
  const closed = whyClosed(link, deps.clock.now());
  if (closed) return shownPage(visit, { kind: 'closed', link: factsOf(visit), reason: closed }, deps);
  const { csrf, cookies } = newForm(request, link.id, deps.config);
  const form = { csrf, methods: link.methods, ...fieldsOf(visit, deps), values, faults };
  return { ...shownPage(visit, { kind: 'form', link: factsOf(visit), form, notice }, deps), cookies };
}

export function whyClosed(link: PaymentLink, at: Date): Extract<LinkView, { kind: 'closed' }>['reason'] | undefined {
  const status = statusAt(link, at);
  if (status === 'completed') return link.max_payments === 1 ? 'paid' : 'completed';
  if (status !== 'active') return status;
  return link.slots_left < 1 ? 'busy' : undefined;
}

export function shownPage({ request }: Visit, view: LinkView, { config }: Pick<Deps, 'config'>): RawReply {
  const { html, headers } = renderLinkPage(view, languageOf(request.headers['accept-language']), siteAt(config));
  return { status: 200, headers, body: html };
}
