import type { Messages } from '#functions/hosted-pages/locales/locale.model.ts';
import { fieldErrorsAlert } from '#functions/hosted-pages/views/alert.page.ts';
import { hiddenInput, type Input, inputField } from '#functions/hosted-pages/views/fields.page.ts';
import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import { statusPanel } from '#functions/hosted-pages/views/status-panel.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { type Html, html } from '#shared/http/html.ts';

type Field = Extract<NextAction, { type: 'collect' }>['field'];
type CollectedInput = Pick<Input, 'type' | 'autocomplete' | 'inputmode' | 'style'> & {
  readonly name: keyof Messages['fields'];
};

const text = (name: CollectedInput['name'], autocomplete: string): CollectedInput => ({
  name,
  type: 'text',
  autocomplete,
});

/** The inputs of each field, with the names that `confirm` takes. A code may begin with a zero, so it is text. */
const INPUTS: Readonly<Record<Field, readonly CollectedInput[]>> = {
  otp: [{ name: 'otp', type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric', style: 'code' }],
  pin: [{ name: 'pin', type: 'password', autocomplete: 'off', inputmode: 'numeric', style: 'code' }],
  phone: [{ name: 'phone', type: 'tel', autocomplete: 'tel' }],
  birthday: [{ name: 'birthday', type: 'date', autocomplete: 'bday' }],
  address: [
    text('address', 'address-line1'),
    text('city', 'address-level2'),
    text('state', 'address-level1'),
    text('zip_code', 'postal-code'),
  ],
};

/** The longest input that providers accept. */
const MAX_LENGTH = 200;

/** Input that the provider needs from the customer. `refused`: it refused an earlier input, and does not say which. */
export function collectForm(field: Field, csrf: string, refused: boolean, i18n: I18n): Html {
  const { collect, fields, fieldErrors } = i18n.messages;
  const { heading, text: reason } = collect[field];
  const [firstInput] = INPUTS[field];
  const errors = refused ? [{ field: firstInput?.name ?? field, message: fieldErrors.input }] : [];
  const inputs = INPUTS[field].map((input) =>
    inputField({
      ...input,
      id: input.name,
      label: fields[input.name],
      required: true,
      maxlength: MAX_LENGTH,
      ...(refused && input === firstInput && { error: fieldErrors.input }),
    }),
  );
  return html`${statusPanel('keyboard', 'plain', heading, reason)}
${fieldErrorsAlert(errors, i18n)}
<form method="post" class="stack">
${hiddenInput('csrf', csrf)}
${inputs}
<button class="button" name="do" value="continue">${collect.send}</button>
</form>`;
}
