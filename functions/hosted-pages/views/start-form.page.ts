import type { GenericMethod, Messages } from '#functions/hosted-pages/locales/locale.model.ts';
import { type FieldError, fieldErrorsAlert, noticeAlert } from '#functions/hosted-pages/views/alert.page.ts';
import { amountHeader } from '#functions/hosted-pages/views/amount-header.page.ts';
import type { PageContent } from '#functions/hosted-pages/views/document.page.ts';
import {
  errorAttributes,
  errorLine,
  hiddenInput,
  inputField,
  labelledField,
} from '#functions/hosted-pages/views/fields.page.ts';
import { humanize, listCountries } from '#functions/hosted-pages/views/format.page.ts';
import { amountText, type I18n, payeeText } from '#functions/hosted-pages/views/i18n.page.ts';
import { icon } from '#functions/hosted-pages/views/icons.page.ts';
import type { FormField, LinkView, StartForm } from '#functions/hosted-pages/views/link-view.model.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

type FormView = Extract<LinkView, { kind: 'form' }>;

const FIELDS: readonly FormField[] = ['method', 'country', 'email'];
const MAX_EMAIL_LENGTH = 320;

/** The form that starts a payment. */
export const formPage = (view: FormView, i18n: I18n): PageContent => ({
  view: 'form',
  title: formTitle(view, i18n),
  content: formContent(view, i18n),
});

/** Begins with the error, if there is one. */
function formTitle({ link, form, notice }: FormView, i18n: I18n): string {
  const hasError = form.errors.length > 0 || notice?.kind === 'declined' || notice?.kind === 'stale';
  const prefix = hasError ? `${i18n.messages.errorPrefix}: ` : '';
  return `${prefix}${payeeText(link, i18n)} – ${amountText(link, i18n)}`;
}

function formContent({ link, form, notice }: FormView, i18n: I18n): Html {
  const { messages } = i18n;
  return html`${amountHeader(link, i18n, 'form')}
${noticeAlert(notice, i18n)}${fieldErrorsAlert(errorsOf(form, i18n), i18n)}
<form method="post" class="stack">
${hiddenInput('csrf', form.csrf)}
${methodField(form, i18n)}${countryField(form, i18n)}${emailField(form, i18n)}
<button class="button" name="do" value="start">${messages.form.pay(amountText(link, i18n))}</button>
<p class="redirect-notice muted small">${icon('lock', 18)}<span>${messages.form.redirectNotice}</span></p>
</form>`;
}

const errorsOf = (form: StartForm, { messages }: I18n): readonly FieldError[] =>
  FIELDS.filter((field) => form.errors.includes(field)).map((field) => ({
    field,
    message: messages.fieldErrors[field],
  }));

const errorOf = (form: StartForm, field: FormField, { messages }: I18n): { readonly error?: string } =>
  form.errors.includes(field) ? { error: messages.fieldErrors[field] } : {};

/** A link with one method names it, and does not ask for it. */
function methodField(form: StartForm, i18n: I18n): HtmlValue {
  if (form.methods.length < 2) return form.methods.map((method) => onlyMethod(method, form, i18n));
  const field = { id: 'method', label: i18n.messages.form.method, ...errorOf(form, 'method', i18n) };
  const chosen = form.methods.includes(form.values.method ?? '') ? form.values.method : form.methods[0];
  const choices = form.methods.map((method, n) => {
    const id = n === 0 ? 'method' : `method-${n}`;
    const checked = method === chosen && ' checked';
    const input = html`<input type="radio" id="${id}" name="method" value="${method}"${checked}>`;
    return html`<label class="choice" for="${id}">${input}${methodName(method, i18n.messages, form.wallets)}</label>\n`;
  });
  return html`<fieldset role="radiogroup"${errorAttributes(field)}>
<legend>${field.label}</legend>
${errorLine(field)}${choices}</fieldset>
`;
}

const onlyMethod = (method: string, { wallets }: StartForm, { messages }: I18n): Html =>
  html`${hiddenInput('method', method)}
<p class="only-method">${messages.form.oneMethod}: <strong>${methodName(method, messages, wallets)}</strong></p>
`;

/** No country is preselected: it decides which provider takes the payment. */
function countryField(form: StartForm, i18n: I18n): HtmlValue {
  if (form.country === 'omitted') return false;
  const { messages, language } = i18n;
  const field = {
    id: 'country',
    label: messages.form.country,
    ...optionalHint(form.country, i18n),
    ...errorOf(form, 'country', i18n),
  };
  const chosen = form.values.country?.toUpperCase();
  const options = listCountries(language).map(
    ({ code, name }) => html`<option value="${code}"${code === chosen && ' selected'}>${name}</option>`,
  );
  const attributes = html`${form.country === 'required' && ' required'}${errorAttributes(field)}`;
  return labelledField(
    field,
    html`<select id="country" name="country" autocomplete="country"${attributes}>
<option value="">${messages.form.chooseCountry}</option>${options}</select>`,
  );
}

function emailField(form: StartForm, i18n: I18n): HtmlValue {
  if (form.email === 'omitted') return false;
  return inputField({
    id: 'email',
    name: 'email',
    type: 'email',
    label: i18n.messages.form.email,
    autocomplete: 'email',
    required: form.email === 'required',
    maxlength: MAX_EMAIL_LENGTH,
    ...(form.values.email !== undefined && { value: form.values.email }),
    ...optionalHint(form.email, i18n),
    ...errorOf(form, 'email', i18n),
  });
}

const optionalHint = (presence: StartForm['email'], { messages }: I18n): { readonly hint?: string } =>
  presence === 'optional' ? { hint: messages.optional } : {};

/** Brand names are the same in every language. */
const BRANDS: Readonly<Record<string, string>> = {
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  upi: 'UPI',
  eps: 'EPS',
  p24: 'Przelewy24',
  klarna: 'Klarna',
  alipay: 'Alipay',
  wechat_pay: 'WeChat Pay',
  blik: 'BLIK',
  knet: 'KNET',
  paypal: 'PayPal',
  twint: 'TWINT',
  bizum: 'Bizum',
  swish: 'Swish',
  vipps: 'Vipps',
  mobilepay: 'MobilePay',
  trustly: 'Trustly',
  satispay: 'Satispay',
  mybank: 'MyBank',
  kbc: 'KBC/CBC',
  belfius: 'Belfius',
  multibanco: 'Multibanco',
  mbway: 'MB WAY',
  pix: 'Pix',
  boleto: 'Boleto',
  oxxo: 'OXXO',
  mpesa: 'M-Pesa',
  apple_pay: 'Apple Pay',
  google_pay: 'Google Pay',
};

/** What customers know as wallets, where it is not known which ones the providers offer. */
const USUAL_WALLETS = ['Apple Pay', 'Google Pay'];

export function methodName(
  method: string,
  { methods }: Pick<Messages, 'methods'>,
  wallets: readonly string[] = USUAL_WALLETS,
): string {
  if (method === 'wallet') return wallets.join(', ');
  const translated = Object.hasOwn(methods, method) ? methods[method as GenericMethod] : undefined;
  return translated ?? (Object.hasOwn(BRANDS, method) ? BRANDS[method] : undefined) ?? humanize(method);
}
