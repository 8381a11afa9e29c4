import type { Words } from '#functions/hosted-pages/locales/locale.model.ts';
import { faultsTold } from '#functions/hosted-pages/views/alert.page.ts';
import { hidden, type Input, inputField } from '#functions/hosted-pages/views/fields.page.ts';
import type { Say } from '#functions/hosted-pages/views/i18n.page.ts';
import { state } from '#functions/hosted-pages/views/status-panel.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Html, html } from '#shared/http/html.ts';

type Field = Extract<NextAction, { type: 'collect' }>['field'];
type Asked = Pick<Input, 'type' | 'autocomplete' | 'inputmode' | 'look'> & { readonly name: keyof Words['fields'] };

const text = (name: Asked['name'], autocomplete: string): Asked => ({ name, type: 'text', autocomplete });

/** Input fields by kind, with the names that `confirm` takes. A code may begin with a zero, so it is text. */
const ASKED: Readonly<Record<Field, readonly Asked[]>> = {
  otp: [{ name: 'otp', type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric', look: 'code' }],
  pin: [{ name: 'pin', type: 'password', autocomplete: 'off', inputmode: 'numeric', look: 'code' }],
  phone: [{ name: 'phone', type: 'tel', autocomplete: 'tel' }],
  birthday: [{ name: 'birthday', type: 'date', autocomplete: 'bday' }],
  address: [
    text('address', 'address-line1'),
    text('city', 'address-level2'),
    text('state', 'address-level1'),
    text('zip_code', 'postal-code'),
  ],
};

/** As long as what a provider takes. */
const LONGEST = 200;

/**
 * The customer's input for the provider; `refused`: the earlier input was wrong, and the provider does not say which
 * part.
 */
export function collectForm(field: Field, csrf: string, refused: boolean, say: Say): Html {
  const { words } = say;
  const { heading, text: why } = words.collect[field];
  const fault = refused ? { fault: words.faults.input } : {};
  const inputs = ASKED[field].map((asked, n) =>
    inputField({
      ...asked,
      id: asked.name,
      label: words.fields[asked.name],
      required: true,
      maxlength: LONGEST,
      ...(n === 0 && fault),
    }),
  );
  return html`${state('keys', 'plain', heading, why)}
${faultsTold(refused ? [{ field: ASKED[field][0]?.name ?? field, text: words.faults.input }] : [], say)}
<form method="post" class="stack">
${hidden('csrf', csrf)}
${inputs}
<button class="button" name="do" value="continue">${words.collect.send}</button>
</form>`;
}
