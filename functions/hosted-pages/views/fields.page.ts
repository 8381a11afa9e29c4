import { type Html, html, type Shown } from '#shared/http/html.ts';

/** How a field is named, and what is wrong with it. */
type Labelled = { readonly id: string; readonly label: string; readonly hint?: string; readonly fault?: string };

export type Input = Labelled & {
  readonly name: string;
  readonly type: 'text' | 'email' | 'tel' | 'date' | 'password';
  readonly autocomplete: string;
  readonly inputmode?: 'numeric';
  readonly required: boolean;
  readonly value?: string;
  readonly maxlength: number;
  readonly look?: 'code';
};

const faultId = (id: string): string => `${id}-fault`;

export const faultLine = ({ id, fault }: Labelled): Shown =>
  fault !== undefined && html`<span class="fault" id="${faultId(id)}">${fault}</span>\n`;

/** Ties a field to what is wrong with it. */
export const faultMarks = ({ id, fault }: Labelled): Shown =>
  fault !== undefined && html` aria-invalid="true" aria-describedby="${faultId(id)}"`;

export const labelled = (field: Labelled, control: Html): Html => html`<div class="field">
<label for="${field.id}">${field.label}${field.hint !== undefined && html` <span class="hint">(${field.hint})</span>`}</label>
${faultLine(field)}${control}
</div>`;

export function inputField(field: Input): Html {
  const { id, name, type, autocomplete, inputmode, required, value, maxlength, look } = field;
  const further = html`${inputmode && html` inputmode="${inputmode}"`}${look && html` class="${look}"`}${required && ' required'}${value && html` value="${value}"`}`;
  const plain = type === 'email' || look === 'code' ? html` autocapitalize="none" spellcheck="false"` : '';
  return labelled(
    field,
    html`<input id="${id}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${maxlength}"${further}${plain}${faultMarks(field)}>`,
  );
}

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;
