import type { Field, Variant } from '#lib/reference/field-tree.ts';
import type { FieldsBlock } from '#lib/reference/page.model.ts';
import { inlineHtml, proseHtml } from '#lib/reference/prose.ts';
import { type Html, html } from '#shared/http/html.ts';

type Part = Omit<FieldsBlock, 'kind'>;

/** Fields as a tree: what has fields of its own opens, with or without a script. */
export function fieldsHtml({ fields, variants = [], isReply }: Part): Html {
  const list = fields.map((field) => fieldHtml(field, isReply));
  const forms = variants.map((variant) => variantHtml(variant, isReply));
  return html`${list.length > 0 && html`<ul class="fields">${list}</ul>`}${
    forms.length > 0 && html`<div class="variants">${forms}</div>`
  }`;
}

function fieldHtml(field: Field, isReply: Part['isReply']): Html {
  return html`<li class="field"><p class="field-line"><code class="field-name">${field.name}</code> <span class="field-type">${typeHtml(field)}</span>${presenceHtml(field, isReply)}${field.isDeprecated && html` <span class="mark">deprecated</span>`}${limitsHtml(field)}</p>${
    field.description !== '' && html`<div class="field-text">${proseHtml(field.description)}</div>`
  }${valuesHtml(field)}${childrenHtml(field, isReply)}</li>
`;
}

function presenceHtml({ isRequired }: Field, isReply: Part['isReply']): Html | false {
  if (isReply) return !isRequired && html` <span class="field-limits">may be missing</span>`;
  return isRequired && html` <span class="mark mark-required">required</span>`;
}

const typeHtml = ({ type, object }: Field): Html =>
  object === undefined ? html`${type}` : html`${type}: <a href="${object.address}">${object.name}</a>`;

const limitsHtml = ({ limits }: Field): Html | false =>
  limits.length > 0 &&
  html` <span class="field-limits">${limits.map((limit, index) => html`${index > 0 && ', '}${inlineHtml(limit)}`)}</span>`;

/** Past this many, values are shown when asked for. */
const FEW_VALUES = 12;

function valuesHtml({ values }: Field): Html | false {
  if (values.length === 0) return false;
  const list = values.map((value) => html`<code>${value}</code> `);
  if (values.length <= FEW_VALUES) return html`<p class="field-values">${list}</p>`;
  return html`<details class="field-values"><summary>${values.length} values</summary><p>${list}</p></details>`;
}

function childrenHtml({ name, fields, variants }: Field, isReply: Part['isReply']): Html | false {
  const count = fields.length || variants.length;
  if (count === 0) return false;
  const what = fields.length > 0 ? 'fields' : 'forms';
  return html`<details class="children"><summary>${count} ${what} of <code>${name}</code></summary>${fieldsHtml({ fields, variants, isReply })}</details>`;
}

const variantHtml = ({ title, fields }: Variant, isReply: Part['isReply']): Html =>
  html`<details class="children"><summary>${title}</summary>${
    fields.length === 0 ? html`<p class="field-text">No fields.</p>` : fieldsHtml({ fields, isReply })
  }</details>
`;
