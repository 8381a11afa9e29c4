import { actionSheet } from '#functions/hosted-pages/views/action.page.ts';
import { documentOf, type Sheet } from '#functions/hosted-pages/views/document.page.ts';
import { thanksSheet, troubleSheet } from '#functions/hosted-pages/views/error-page.page.ts';
import { type Say, speaking } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Language } from '#functions/hosted-pages/views/language.page.ts';
import type { LinkView, Page, TroublePage } from '#functions/hosted-pages/views/link-view.model.ts';
import {
  closedSheet,
  failedSheet,
  overpaidSheet,
  processingSheet,
  succeededSheet,
} from '#functions/hosted-pages/views/outcome.page.ts';
import type { Site } from '#functions/hosted-pages/views/page-headers.page.ts';
import { formContent, formTitle } from '#functions/hosted-pages/views/start-form.page.ts';

const UNKNOWN_SITE: Site = { secure: false };

/** One page of a payment link, in that language, with the headers that it is answered with. */
export const renderLinkPage = (view: LinkView, language: Language, site = UNKNOWN_SITE): Page =>
  documentOf(sheetOf(view, speaking(language)), language, site);

/** A page of no link: what went wrong. */
export const renderTrouble = (trouble: TroublePage, language: Language, site = UNKNOWN_SITE): Page =>
  documentOf(troubleSheet(trouble, speaking(language)), language, site);

/** For customers who come back from a provider and have no page to return to. */
export const renderThanks = (language: Language, site = UNKNOWN_SITE): Page =>
  documentOf(thanksSheet(speaking(language)), language, site);

function sheetOf(view: LinkView, say: Say): Sheet {
  switch (view.kind) {
    case 'form':
      return { view: 'form', title: formTitle(view, say), content: formContent(view, say) };
    case 'closed':
      return closedSheet(view, say);
    case 'action':
      return actionSheet(view, say);
    case 'processing':
      return processingSheet(view, say);
    case 'succeeded':
      return succeededSheet(view, say);
    case 'overpaid':
      return overpaidSheet(view, say);
    case 'failed':
      return failedSheet(view, say);
  }
}
