import type { I18n } from '#functions/hosted-pages/views/i18n.page.ts';
import { type Html, type HtmlValue, html } from '#shared/http/html.ts';

type Field = { readonly id: string; readonly label: string; readonly hint?: string; readonly error?: string };

export type Input = Field & {
  readonly name: string;
  readonly type: 'text' | 'email' | 'tel' | 'date' | 'password';
  readonly autocomplete: string;
  readonly inputmode?: 'numeric';
  readonly required: boolean;
  readonly value?: string;
  readonly maxlength: number;
  readonly style?: 'code';
};

const errorId = (id: string): string => `${id}-error`;

export const errorLine = ({ id, error }: Field): HtmlValue =>
  error !== undefined && html`<span class="error" id="${errorId(id)}">${error}</span>\n`;

/** Marks a field as invalid, and ties it to its error. */
export const errorAttributes = ({ id, error }: Field): HtmlValue =>
  error !== undefined && html` aria-invalid="true" aria-describedby="${errorId(id)}"`;

export function labelledField(field: Field, control: Html): Html {
  const hint = field.hint !== undefined && html` <span class="hint">(${field.hint})</span>`;
  return html`<div class="field">
<label for="${field.id}">${field.label}${hint}</label>
${errorLine(field)}${control}
</div>`;
}

export function inputField(field: Input): Html {
  const { id, name, type, autocomplete, inputmode, required, value, maxlength, style } = field;
  const attributes = [
    html` id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxlength}"`,
    inputmode && html` inputmode="${inputmode}"`,
    style && html` class="${style}"`,
    required && ' required',
    value && html` value="${value}"`,
    (type === 'email' || style === 'code') && html` autocapitalize="none" spellcheck="false"`,
    errorAttributes(field),
  ];
  return labelledField(field, html`<input${attributes}>`);
}

export const hiddenInput = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

/** Ends the open payment, so that the customer can pay another way. */
export const cancelForm = (csrf: string, { messages }: I18n): Html => html`<form method="post">
${hiddenInput('csrf', csrf)}
<button class="button secondary" name="do" value="cancel">${messages.payAnotherWay}</button>
</form>`;
