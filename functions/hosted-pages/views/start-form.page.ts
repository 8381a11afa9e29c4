import { faultsTold, noticeTold } from '#functions/hosted-pages/views/alert.page.ts';
import { due } from '#functions/hosted-pages/views/amount-header.page.ts';
import { faultLine, faultMarks, hidden, inputField, labelled } from '#functions/hosted-pages/views/fields.page.ts';
import { countriesIn } from '#functions/hosted-pages/views/format.page.ts';
import { type Say, sumOf, toWhom } from '#functions/hosted-pages/views/i18n.page.ts';
import { sign } from '#functions/hosted-pages/views/icons.page.ts';
import type { FormField, LinkView, StartForm } from '#functions/hosted-pages/views/link-view.model.ts';
import { methodName } from '#functions/hosted-pages/views/method-names.page.ts';
import { type Html, html, type Shown } from '#shared/http/html.ts';

type FormView = Extract<LinkView, { kind: 'form' }>;

const FIELDS: readonly FormField[] = ['method', 'country', 'email'];
const LONGEST_EMAIL = 320;

/** The page to pay at. */
export function formContent({ link, form, notice }: FormView, say: Say): Html {
  const { words } = say;
  const faults = FIELDS.filter((field) => form.faults.includes(field)).map((field) => ({
    field,
    text: words.faults[field],
  }));
  return html`${due(link, say, 'form')}
${noticeTold(notice, say)}${faultsTold(faults, say)}
<form method="post" class="stack">
${hidden('csrf', form.csrf)}
${methodField(form, say)}${countryField(form, say)}${emailField(form, say)}
<button class="button" name="do" value="start">${words.form.pay(sumOf(link, say))}</button>
<p class="leads muted small">${sign('lock', 18)}<span>${words.form.leadsOn}</span></p>
</form>`;
}

/** An error comes first in the title too. */
export function formTitle({ link, form, notice }: FormView, say: Say): string {
  const wrong = form.faults.length > 0 || notice?.kind === 'declined' || notice?.kind === 'stale';
  return `${wrong ? `${say.words.problem}: ` : ''}${toWhom(link, say)} – ${sumOf(link, say)}`;
}

const faultOf = ({ faults }: StartForm, field: FormField, { words }: Say): { readonly fault?: string } =>
  faults.includes(field) ? { fault: words.faults[field] } : {};

function methodField(form: StartForm, say: Say): Shown {
  if (form.methods.length < 2) return form.methods.map((method) => html`${hidden('method', method)}\n`);
  const field = { id: 'method', label: say.words.form.method, ...faultOf(form, 'method', say) };
  const chosen = form.methods.includes(form.values.method ?? '') ? form.values.method : form.methods[0];
  return html`<fieldset role="radiogroup"${faultMarks(field)}>
<legend>${field.label}</legend>
${faultLine(field)}${form.methods.map((method, n) => {
  const id = n === 0 ? 'method' : `method-${n}`;
  return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="method" value="${method}"${method === chosen && ' checked'}>${methodName(method, say.words)}</label>\n`;
})}</fieldset>
`;
}

/** No country is preselected: it decides which provider takes the payment. */
function countryField(form: StartForm, say: Say): Shown {
  if (form.country === 'no') return false;
  const { words, language } = say;
  const field = {
    id: 'country',
    label: words.form.country,
    ...optionalHint(form.country, say),
    ...faultOf(form, 'country', say),
  };
  const chosen = form.values.country?.toUpperCase();
  const options = countriesIn(language).map(
    ({ code, name }) => html`<option value="${code}"${code === chosen && ' selected'}>${name}</option>`,
  );
  return labelled(
    field,
    html`<select id="country" name="country" autocomplete="country"${form.country === 'required' && ' required'}${faultMarks(field)}><option value="">${words.form.chooseCountry}</option>${options}</select>`,
  );
}

function emailField(form: StartForm, say: Say): Shown {
  if (form.email === 'no') return false;
  return inputField({
    id: 'email',
    name: 'email',
    type: 'email',
    label: say.words.form.email,
    autocomplete: 'email',
    required: form.email === 'required',
    maxlength: LONGEST_EMAIL,
    ...(form.values.email !== undefined && { value: form.values.email }),
    ...optionalHint(form.email, say),
    ...faultOf(form, 'email', say),
  });
}

const optionalHint = (asked: StartForm['email'], { words }: Say): { readonly hint?: string } =>
  asked === 'optional' ? { hint: words.optional } : {};
