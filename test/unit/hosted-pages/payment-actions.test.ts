import { describe, expect, it } from 'vitest';
import type { Page } from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { all, anAction, VIEWS } from '#test/unit/hosted-pages/link-views.support.ts';

const shown = (name: string): Page => renderLinkPage(VIEWS.get(name)!, 'en');
const policyOf = ({ headers }: Page): string => headers['content-security-policy'] ?? '';

describe('the page of a payment that requires an action', () => {
  it('redirects to the provider automatically, and by a link', () => {
    const { html } = shown('redirect-get');
    expect(html).toContain('<meta http-equiv="refresh" content="0;url=https://pay.example/checkout?a=1&amp;b=2">');
    expect(html).toContain('href="https://pay.example/checkout?a=1&amp;b=2"');
    expect(policyOf(shown('redirect-get'))).toContain("form-action 'self';");
  });

  it('posts fields to the provider when the customer presses the button', () => {
    const page = shown('redirect-post');
    expect(page.html).toContain('<form method="post" action="https://bank.example:8443/3ds/start?x=1">');
    expect(page.html).toContain('<input type="hidden" name="MD" value="&quot;&lt;&amp;&gt;&#39;">');
    expect(page.html).not.toContain('http-equiv="refresh"');
    expect(policyOf(page)).toMatch(/form-action 'self' https:/);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    ' java\nscript:alert(1)',
    '//evil.example',
    '/pay',
    '',
    'file:///etc/passwd',
  ])('never links to %j', (url) => {
    expect(() => renderLinkPage(anAction({ type: 'redirect', method: 'GET', url }), 'en')).toThrow(TypeError);
    expect(() => renderLinkPage(anAction({ type: 'redirect', method: 'POST', url, fields: {} }), 'en')).toThrow(
      TypeError,
    );
    expect(renderLinkPage(anAction({ type: 'display', url }), 'en').html).not.toMatch(/href="(?!")/);
  });

  it.each(['await', 'processing'])('refreshes the page %s every five seconds, and says so', (name) => {
    expect(shown(name).html).toContain('<meta http-equiv="refresh" content="5">');
    expect([shown(name).html, all(/<a class="[^"]*" (href="")/g, shown(name).html)]).toEqual([
      expect.stringMatching(/every 5 seconds/),
      ['href=""'],
    ]);
  });

  it.each(['form', 'collect-otp', 'display', 'succeeded', 'failed', 'closed-busy', 'sdk'])(
    'does not refresh the page %s',
    (name) => {
      expect(shown(name).html).not.toContain('http-equiv="refresh"');
    },
  );

  it.each(['redirect-get', 'redirect-post', 'collect-otp', 'display', 'await', 'sdk'])(
    'offers to pay another way on the page %s',
    (name) => {
      expect(shown(name).html).toMatch(
        /<form method="post">\s*<input type="hidden" name="csrf" value="nonce.mac">\s*<button class="button secondary" name="do" value="cancel">/,
      );
    },
  );
});

describe('the input that a provider asks for', () => {
  it.each([
    ['otp', [['otp', 'text', 'one-time-code']]],
    ['pin', [['pin', 'password', 'off']]],
    ['phone', [['phone', 'tel', 'tel']]],
    ['birthday', [['birthday', 'date', 'bday']]],
    [
      'address',
      [
        ['address', 'text', 'address-line1'],
        ['city', 'text', 'address-level2'],
        ['state', 'text', 'address-level1'],
        ['zip_code', 'text', 'postal-code'],
      ],
    ],
  ])('has fields with the names that confirm takes: %s', (field, expected) => {
    const { html } = shown(`collect-${field}`);
    const inputs = [...html.matchAll(/<input id="\w+" name="(\w+)" type="(\w+)" autocomplete="([\w-]+)"/g)].map(
      ([, ...found]) => found,
    );
    expect([inputs, html]).toEqual([expected, expect.stringContaining('name="do" value="continue"')]);
  });

  it('is requested again, with an error, if it was refused', () => {
    expect(shown('collect-refused').html).toMatch(
      /role="alert"[\s\S]*href="#otp"[\s\S]*aria-invalid="true" aria-describedby="otp-error"/,
    );
    expect(shown('collect-otp').html).not.toMatch(/role="alert"|aria-invalid="/);
  });

  it('shows payment details with translated labels and links', () => {
    const { html } = shown('display');
    const facts = [...html.matchAll(/<dt>([^<]+)<\/dt><dd[^>]*>(?:<time [^>]*>)?([^<]+)</g)].map(
      ([, name, value]) => `${name}: ${value}`,
    );
    expect(facts).toEqual([
      'Account number: 0123456789',
      'Bank: Wema Bank',
      'Pay before: November 28, 2026 at 10:00 UTC',
      'Strange new field: 17',
    ]);
    expect(html).toContain('href="https://voucher.example/slip?id=1&amp;x=2"');
  });

  it('does not show the data of a provider’s SDK', () => expect(shown('sdk').html).not.toContain('inner-secret'));
});
