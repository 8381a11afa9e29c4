import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#functions/hosted-pages/views/i18n.page.ts';
import type { Page } from '#functions/hosted-pages/views/link-view.model.ts';
import { LOCAL_TIME_SCRIPT, LOCAL_TIME_SCRIPT_HASH } from '#functions/hosted-pages/views/local-time.page.ts';
import { renderError, renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import { aForm, all, ERRORS, someFacts, VIEWS } from '#test/unit/hosted-pages/link-views.support.ts';

const shown = (name: string): Page => renderLinkPage(VIEWS.get(name)!, 'en');

const EVERY = LANGUAGES.flatMap((language) => [
  ...[...VIEWS].map(([name, view]) => [language, name, renderLinkPage(view, language)] as const),
  ...ERRORS.map((error) => [language, `error ${error.status}`, renderError(error, language)] as const),
]);

describe.each(EVERY)('in %s, the page %s', (language, _, { html, headers }) => {
  it('has one headline, one title, one main element and its language', () => {
    expect([...all(/<(h1)\b/g, html), ...all(/<(title)>[^<]*\S[^<]*</g, html), ...all(/<(main)\b/g, html)]).toEqual([
      'h1',
      'title',
      'main',
    ]);
    expect([all(/<html lang="([^"]+)">/g, html), headers['content-language']]).toEqual([[language], language]);
  });

  it('ties every label to a field, and every field to a label', () => {
    const ids = all(/\bid="([^"]+)"/g, html);
    const visible = all(/<(?:input|select)\b(?![^>]*type="hidden")[^>]*\bid="([^"]+)"/g, html);
    expect(new Set(ids).size).toBe(ids.length);
    expect(all(/<label\b[^>]*\bfor="([^"]+)"/g, html).sort()).toEqual([...visible].sort());
    for (const id of [...all(/aria-describedby="([^"]+)"/g, html), ...all(/href="#([^"]+)"/g, html)])
      expect(ids).toContain(id);
  });

  it('runs no script but the one that shows times in the zone of the browser, and loads nothing', () => {
    const markup = html.replace(/<style>[^<]*<\/style>/, '').replace(`<script>${LOCAL_TIME_SCRIPT}</script>`, '');
    expect(
      all(/(<script|<img|<iframe|<object|<base|<link|\ssrc=|\sstyle=|\son\w+=)/gi, all(/(<[^>]*>)/g, markup).join('')),
    ).toEqual([]);
    expect(html).not.toMatch(/@import|url\((?!")|undefined|\[object|NaN/);
  });

  it('allows its own style by its hash, and nothing else', () => {
    const hash = createHash('sha256')
      .update(all(/<style>([^<]*)<\/style>/g, html)[0]!)
      .digest('base64');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^' ]+';( script-src 'sha256-[^' ]+';)? form-action 'self'[^;]*; base-uri 'none'; frame-ancestors 'none'$/,
    );
    const timed = html.includes('<time ') ? [LOCAL_TIME_SCRIPT_HASH] : [];
    expect(all(/script-src '([^']+)'/g, headers['content-security-policy']!)).toEqual(timed);
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
  });
});

describe('every page', () => {
  it.each(EVERY.filter(([language]) => language === 'en'))(
    '(%s, %s) is not cached, framed, indexed or sent as a referrer',
    (_, __, { headers }) => {
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
        vary: 'accept-language, cookie',
      });
    },
  );

  it('sends HSTS only if it is served over https', () => {
    expect(renderError({ status: 404 }, 'en', { secure: true }).headers['strict-transport-security']).toMatch(
      /^max-age=\d{8}/,
    );
    expect(renderError({ status: 404 }, 'en', { secure: false }).headers).not.toHaveProperty(
      'strict-transport-security',
    );
  });

  it.each([
    ['form', 'form'],
    ['redirect-get', 'action'],
    ['processing', 'processing'],
    ['succeeded', 'succeeded'],
    ['overpaid', 'overpaid'],
    ['failed', 'failed'],
    ['stopped', 'stopped'],
    ['unconfirmed', 'unconfirmed'],
    ['refunded', 'refunded'],
    ['review', 'review'],
    ['canceled', 'canceled'],
    ['unfinished', 'unfinished'],
    ['closed-paid', 'closed-paid'],
    ['closed-busy', 'closed-busy'],
  ])('%s names its state for programs', (name, view) =>
    expect(all(/<main\b[^>]*\bdata-view="([^"]+)"/g, shown(name).html)).toEqual([view]),
  );

  it('about an error names the state “error” for programs', () => {
    expect(ERRORS.flatMap((error) => all(/data-view="([^"]+)"/g, renderError(error, 'en').html))).toEqual(
      ERRORS.map(() => 'error'),
    );
    expect(renderError({ status: 429, retryAfter: 540 }, 'en').html).toContain('Please try again in 9 minutes.');
  });

  it('has a title of its own for each state', () => {
    const names = [
      'form',
      'redirect-get',
      'collect-otp',
      'display',
      'processing',
      'succeeded',
      'overpaid',
      'failed',
      'closed-paid',
      'closed-expired',
    ];
    expect(new Set(names.flatMap((name) => all(/<title>([^<]+)/g, shown(name).html))).size).toBe(names.length);
  });

  it('omits the merchant’s name and the description if there is none', () => {
    const { html } = renderLinkPage(aForm({}, someFacts({ merchant: ' ', description: null })), 'en');
    expect([
      all(/<title>([^<]+)/g, html),
      all(/<h1[^>]*>([^<]+)/g, html),
      html.includes('class="description"'),
    ]).toEqual([['Payment – €1,299.00'], ['Payment'], false]);
  });

  it('shows a badge in test mode only', () => {
    const testing = [...VIEWS].map(
      ([name, view]) => [name, renderLinkPage({ ...view, link: someFacts({ mode: 'sandbox' }) }, 'en').html] as const,
    );
    for (const [name, html] of testing) expect(html, name).toMatch(/<strong>Test mode<\/strong>/);
    expect(shown('form').html).not.toContain('Test mode');
  });

  it('shows the merchant, the amount and the description', () => {
    for (const [name, view] of VIEWS)
      expect(renderLinkPage(view, 'en').html, name).toMatch(
        /Linden &amp; Daughters[\s\S]*€1,299\.00[\s\S]*Armchair, walnut/,
      );
  });
});

describe('the start form', () => {
  it('asks for nothing if the link has one method', () => {
    const hidden = all(/<input type="hidden" name="([^"]+)"/g, shown('form').html);
    expect([hidden, all(/<(?:input|select)\b[^>]*\bname="([^"]+)"/g, shown('form').html)]).toEqual([
      ['csrf', 'method'],
      ['csrf', 'method'],
    ]);
    expect(shown('form').html).toContain('<button class="button" name="do" value="start">');
  });

  it('asks for the method, the country and the email address if routing needs them', () => {
    const { html } = shown('form-full');
    expect(new Set(all(/<(?:input|select)\b[^>]*\bname="([^"]+)"/g, html))).toEqual(
      new Set(['csrf', 'method', 'country', 'email']),
    );
    expect([all(/<option value="(\w\w)"/g, html).length, all(/<option[^>]*(selected)/g, html)]).toEqual([249, []]);
    expect(all(/<input type="radio"[^>]*value="([^"]+)" checked/g, html)).toEqual(['card']);
    expect(html).toMatch(/<select id="country"[^>]*autocomplete="country" required/);
    expect(html).toMatch(/<input id="email"[^>]*type="email" autocomplete="email"/);
    expect(html).not.toMatch(/<input id="email"[^>]*required/);
  });

  it('shows errors at its top and at each field, and keeps the entered values', () => {
    const { html } = shown('form-errors');
    expect(
      all(/role="alert"[\s\S]*?<ul>([\s\S]*?)<\/ul>/g, html).flatMap((list) => all(/href="#([^"]+)"/g, list)),
    ).toEqual(['method', 'country', 'email']);
    expect(all(/aria-invalid="true" aria-describedby="([^"]+)"/g, html)).toEqual([
      'method-error',
      'country-error',
      'email-error',
    ]);
    expect([all(/value="([^"]+)" checked/g, html), all(/id="email"[^>]*value="([^"]+)"/g, html)]).toEqual([
      ['ideal'],
      ['nobody'],
    ]);
  });

  it('posts to the URL of its page, query included', () => {
    for (const [name, view] of VIEWS) {
      const forms = all(/<form ([^>]*)>/g, renderLinkPage(view, 'en').html).filter(
        (attributes) => !attributes.includes('https://bank.example'),
      );
      for (const attributes of forms) expect(attributes, name).toMatch(/^method="post"(?! action)/);
    }
  });
});
