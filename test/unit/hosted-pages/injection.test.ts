import { describe, expect, it } from 'vitest';
import type { LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { aForm, anAction, someFacts } from '#test/unit/hosted-pages/link-views.support.ts';

/** Each text, and its escaped form: the same in an element as between double quotes. */
const HOSTILE: readonly (readonly [what: string, text: string, escaped: string])[] = [
  ['a script', '<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  [
    'the end of a title, style and form',
    '</title></style></form><b>',
    '&lt;/title&gt;&lt;/style&gt;&lt;/form&gt;&lt;b&gt;',
  ],
  [
    'the end of an attribute',
    '" onfocus="alert(1)" autofocus x="',
    '&quot; onfocus=&quot;alert(1)&quot; autofocus x=&quot;',
  ],
  ["the end of another's attribute", "' onclick='alert(1)", '&#39; onclick=&#39;alert(1)'],
  ['markup that is escaped already', '&lt;b&gt; &amp;#60;', '&amp;lt;b&amp;gt; &amp;amp;#60;'],
  ['the beginning of a comment', '<!--', '&lt;!--'],
  ['an image that fails', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['a NUL inside a tag', '<scr\0ipt>', '&lt;script&gt;'],
  ['marks that turn the text round', '\u202eEUR\u2066 5\u2069', 'EUR 5'],
  ['half a character', 'a\ud800b', 'a\ufffdb'],
];

const display = (more: Readonly<Record<string, string>>): NextAction => ({ type: 'display', ...more });
const post = (fields: Readonly<Record<string, string>>): NextAction => ({
  type: 'redirect',
  method: 'POST',
  url: 'https://pay.example/',
  fields,
});

/** Every place of a page that shows untrusted text. */
const PLACES: readonly (readonly [where: string, view: (text: string) => LinkView])[] = [
  ['the name of the merchant', (merchant) => aForm({}, someFacts({ merchant }))],
  [
    'the name of the merchant of a link that is paid',
    (merchant) => ({ kind: 'closed', link: someFacts({ merchant }), reason: 'paid' }),
  ],
  ['the description', (description) => aForm({}, someFacts({ description }))],
  ['the token of a form', (csrf) => aForm({ csrf })],
  [
    'the mail address that was filled in',
    (email) => aForm({ email: 'required', values: { email }, errors: ['email'] }),
  ],
  [
    'the number of the payment',
    (payment_id) => ({ kind: 'succeeded', link: someFacts(), payment_id, paid_at: '2026-11-28T09:00:00.000Z' }),
  ],
  ['the time that it was paid', (paid_at) => ({ kind: 'succeeded', link: someFacts(), payment_id: 'pay_1', paid_at })],
  ['the value of what is displayed', (bank_name) => anAction(display({ bank_name }))],
  ['the value of what nobody knows', (unheard_of) => anAction(display({ unheard_of }))],
  ['the value of a field for the provider', (value) => anAction(post({ PaReq: value }))],
  ['the name of a field for the provider', (name) => anAction(post({ [name]: 'x' }))],
];

/** The elements and attributes of a page in order, without text. */
const shapeOf = (html: string): string[] =>
  [...html.matchAll(/<(\/?[a-z][\w-]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(
    ([, tag, attributes = '']) =>
      `${tag} ${[...attributes.matchAll(/([\w-]+)(?:="[^"]*")?/g)].map(([, name]) => name).join(' ')}`,
  );

describe.each(PLACES)('%s', (_, view) => {
  it.each(HOSTILE)('is shown as text, even if it is %s', (__, text, escaped) => {
    const { html } = renderLinkPage(view(text), 'en');
    expect(html).toContain(escaped);
    expect(html.slice(html.indexOf('<body>'))).not.toContain(text);
    expect(shapeOf(html)).toEqual(shapeOf(renderLinkPage(view('plain'), 'en').html));
  });
});

describe('a value chosen from a list', () => {
  it.each(HOSTILE)('is ignored if it is %s', (_, text) => {
    const form = { methods: ['card', 'ideal'], country: 'required' } as const;
    const given = renderLinkPage(aForm({ ...form, values: { method: text, country: text } }), 'en').html;
    expect(given).toBe(renderLinkPage(aForm({ ...form, values: {} }), 'en').html);
  });

  it('is never looked up among the properties of every object', () => {
    const html = renderLinkPage(aForm({ methods: ['constructor', '__proto__'] }), 'en').html;
    expect(html).toMatch(/Constructor[\s\S]*Proto/);
    expect(renderLinkPage(anAction(display({ constructor: 'x', toString: 'y' })), 'en').html).toContain(
      '<dt>Constructor</dt>',
    );
  });
});

describe('a displayed URL', () => {
  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    '\u0001javascript:alert(1)',
    'intent://x#Intent;end',
    'upi://evil?x',
    'blob:x',
  ])('does not become a link if it is unsafe: %j', (url) => {
    const { html } = renderLinkPage(anAction(display({ url, hosted_voucher_url: url, anything: url })), 'en');
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['']);
  });

  it.each([
    ['https://pay.example/a"b?x=<y>', 'https://pay.example/a%22b?x=%3Cy%3E'],
    ['upi://pay?pa=shop@bank&am=1', 'upi://pay?pa=shop@bank&amp;am=1'],
  ])('becomes a link if it is safe: %s', (url, href) => {
    expect(renderLinkPage(anAction(display({ url })), 'en').html).toContain(`href="${href}"`);
  });
});

it('never shows the provider’s message or the reason of a fraud check', () => {
  const failure = {
    code: 'fraud_blocked',
    category: 'fraud',
    message: 'Blocked: velocity of ip',
    provider_code: 'R0_secret',
    retryable: false,
  } as const;
  const pages = [
    renderLinkPage({ kind: 'failed', link: someFacts(), failure }, 'en'),
    renderLinkPage({ kind: 'form', ...aFormWith(failure) }, 'en'),
  ];
  for (const { html } of pages) expect(html).not.toMatch(/fraud|velocity|R0_secret/i);
});

const aFormWith = (failure: Extract<LinkView, { kind: 'failed' }>['failure']) => {
  const { link, form } = aForm() as Extract<LinkView, { kind: 'form' }>;
  return { link, form, notice: failure && ({ kind: 'declined', failure } as const) };
};
