import type { DisplayLabel } from '#functions/hosted-pages/locales/locale.model.ts';
import { humanize } from '#functions/hosted-pages/views/format.page.ts';
import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import { timeText } from '#functions/hosted-pages/views/local-time.page.ts';
import { linkableUrl } from '#functions/hosted-pages/views/safe-url.page.ts';
import { statusPanel } from '#functions/hosted-pages/views/status-panel.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

type Display = Extract<NextAction, { type: 'display' }>;

/** Details to pay with elsewhere. The page reloads only on request, so that copying a number is not interrupted. */
export function displayContent(action: Display, amount: string, i18n: I18n): Html {
  const { display } = i18n.messages;
  const lines = displayLines(action, i18n);
  const facts = lines.filter(({ href }) => href === undefined);
  const links = lines.filter((line): line is LinkLine => line.href !== undefined);
  return html`${statusPanel('list', 'plain', display.heading, display.text(amount))}
${facts.length > 0 && factsList(facts)}${
  links.length > 0 && html`<div class="links">${links.map(linkButton)}</div>\n`
}<p><a class="${links.length > 0 ? 'button secondary' : 'button'}" href="">${display.checkNow}</a></p>`;
}

const factsList = (lines: readonly DisplayLine[]): Html =>
  html`<dl class="facts">${lines.map(
    ({ label, text }) => html`<div><dt>${label}</dt><dd dir="auto">${text}</dd></div>`,
  )}</dl>\n`;

const linkButton = ({ label, href }: LinkLine): Html =>
  html`<p><a class="button" rel="noreferrer" href="${href}">${label}</a></p>`;

type DisplayLine = { readonly label: string; readonly text: HtmlValue; readonly href?: string };
type LinkLine = DisplayLine & { readonly href: string };

/** Labels for the providers' field names; `null` hides a field that is not for customers or is shown elsewhere. */
const LABELS: Readonly<Record<string, DisplayLabel | null>> = {
  account_number: 'account_number',
  transfer_account: 'account_number',
  account_name: 'account_name',
  beneficiary: 'account_name',
  bank_name: 'bank_name',
  transfer_bank: 'bank_name',
  bank_code: 'bank_code',
  routing_number: 'bank_code',
  sort_code: 'bank_code',
  branch_code: 'branch_code',
  reference: 'reference',
  transfer_reference: 'reference',
  entity: 'entity',
  number: 'number',
  ussd_code: 'ussd_code',
  code: 'code',
  data: 'code',
  qr_code: 'code',
  qr_code_data: 'code',
  transfer_note: 'note',
  note: 'note',
  expires_at: 'expires_at',
  expires_after: 'expires_at',
  account_expires_at: 'expires_at',
  account_expiration: 'expires_at',
  hosted_instructions_url: 'instructions',
  instructions_url: 'instructions',
  hosted_voucher_url: 'voucher',
  download_url: 'voucher',
  pdf: 'voucher',
  qr_image: 'qr_image',
  image_url_png: 'qr_image',
  image_url_svg: null,
  image_data_url: null,
  url: 'app',
  mobile_auth_url: 'app',
  type: null,
  kind: null,
  amount: null,
  amount_remaining: null,
  transfer_amount: null,
  currency: null,
  payment_method_type: null,
  payment_method: null,
  merchant_name: null,
  merchant_reference: null,
  shopper_email: null,
  shopper_name: null,
  shopper_reference: null,
};

/** The payment details as labelled lines. A URL that is safe to open becomes a link. */
function displayLines(action: Display, i18n: I18n): readonly DisplayLine[] {
  return Object.entries(action).flatMap(([key, value]): DisplayLine[] => {
    const name = key.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2').toLowerCase();
    const known = Object.hasOwn(LABELS, name) ? LABELS[name] : undefined;
    if (value === null || value === '' || known === null) return [];
    const label = known === undefined ? labelFor(name) : i18n.messages.displayLabels[known];
    const text = known === 'expires_at' ? timeText(toIsoTime(value), i18n) : String(value);
    const href = linkableUrl(String(value));
    return [{ label, text, ...(href !== undefined && { href }) }];
  });
}

/** Bank abbreviations are written in capitals. */
const labelFor = (name: string): string =>
  /^(iban|bic|ifsc|swift|vpa|clabe)$/.test(name) ? name.toUpperCase() : humanize(name);

/** Some providers send seconds since 1970. */
const toIsoTime = (value: string | number): string =>
  /^\d{9,11}$/.test(String(value)) ? new Date(Number(value) * 1_000).toISOString() : String(value);
