import { LINK_ACTS } from '#functions/hosted-pages/link-actions.ts';
import { openVisit, startPage } from '#functions/hosted-pages/link-page.ts';
import { formNumber } from '#functions/hosted-pages/link-session.ts';
import { containsCardNumber } from '#shared/domain/reference/card-number.rules.ts';
import type { RawReply, RawRequest } from '#shared/http/route.ts';
import { AppError } from '#shared/kernel/errors.ts';
import type { Deps } from '#shared/ports/deps.ts';

/** A form sent from a payment link's page. Only a form that this browser was shown is accepted. */
export async function actOnLinkPage(request: RawRequest, deps: Deps): Promise<RawReply> {
  const visit = await openVisit(request, deps);
  const fields = Object.fromEntries(new URLSearchParams(request.rawBody.toString('utf8')));
  if (containsCardNumber(fields))
    throw new AppError('raw_card_data', 'The form holds a card number, which must not reach us.');
  const form = formNumber(request, visit.link.id, fields.csrf ?? '', deps.config);
  const act = LINK_ACTS.get(fields.do ?? '');
  if (form === undefined || !act) return { ...startPage(visit, { kind: 'stale' }, deps), status: 403 };
  return act({ ...visit, form, fields }, deps);
}
