import { describe, expect, it } from 'vitest';
import type { LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { someFacts } from '#test/unit/hosted-pages/link-views.support.ts';

const TOGGLE_URL = 'https://api.example/pay/plink_1?payment=pay_1&t=x&still=1';
const link = someFacts();
const actionView = (action: NextAction, more: object = {}): LinkView => ({
  kind: 'action',
  link,
  action,
  csrf: 'nonce.mac',
  refused: false,
  ...more,
});
const refresh = (view: LinkView): string | undefined =>
  /<meta http-equiv="refresh" content="([^"]*)"/.exec(renderLinkPage(view, 'en').html)?.[1];

describe('the page of a resumed payment', () => {
  const resumed = (method: 'GET' | 'POST') =>
    actionView({ type: 'redirect', method, url: 'https://pay.example/x' }, { resumed: true });

  it('does not redirect by itself, and offers to continue or to pay another way', () => {
    const { html } = renderLinkPage(resumed('GET'), 'en');
    expect([refresh(resumed('GET')), html]).toEqual([
      undefined,
      expect.stringContaining('<h1>You already started a payment</h1>'),
    ]);
    expect(html).toContain('<a class="button" href="https://pay.example/x">');
    expect(html).toContain('<button class="button secondary" name="do" value="cancel">');
  });

  it('shows the same where fields are posted', () =>
    expect(renderLinkPage(resumed('POST'), 'en').html).toContain('<h1>You already started a payment</h1>'));
});

describe.each<[string, (refresh?: object) => LinkView]>([
  ['a payment in processing', (refresh) => ({ kind: 'processing', link, ...refresh })],
  ['a payment to approve elsewhere', (refresh) => actionView({ type: 'await' }, refresh)],
])('the page of %s', (_, view) => {
  it('refreshes every five seconds, and can be stopped', () => {
    const running = view({ refresh: { paused: false, toggleUrl: TOGGLE_URL } });
    expect([refresh(running), renderLinkPage(running, 'en').html]).toEqual([
      '5',
      expect.stringContaining(`href="${TOGGLE_URL.replaceAll('&', '&amp;')}">Stop`),
    ]);
  });

  it('does not refresh once stopped, says so, and can be resumed', () => {
    const paused = view({ refresh: { paused: true, toggleUrl: TOGGLE_URL } });
    const { html } = renderLinkPage(paused, 'en');
    expect([refresh(paused), html.includes('every 5 seconds')]).toEqual([undefined, false]);
    expect(html).toMatch(
      /Automatic refresh is off[\s\S]*<a class="button secondary" href="">[\s\S]*Resume automatic refresh<\/a>/,
    );
  });

  it('offers no switch if it has no URL for it', () =>
    expect(renderLinkPage(view(), 'en').html).not.toContain('class="link small"'));

  it.each(['javascript:alert(1)', '?still=1'])('refuses a switch that is not a web URL: %s', (toggleUrl) => {
    expect(() => renderLinkPage(view({ refresh: { paused: false, toggleUrl } }), 'en')).toThrow(TypeError);
  });
});
