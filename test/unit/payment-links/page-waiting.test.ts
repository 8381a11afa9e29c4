import { describe, expect, it } from 'vitest';
import type { LinkView } from '#functions/hosted-pages/views/link-view.model.ts';
import { renderLinkPage } from '#functions/hosted-pages/views/render-link-page.page.ts';
import type { NextAction } from '#shared/domain/payments/payment.model.ts';
import { someFacts } from '#test/unit/payment-links/page-views.support.ts';

const OTHER = 'https://api.example/pay/plink_1?payment=pay_1&t=x&still=1';
const link = someFacts();
const acting = (action: NextAction, more: object = {}): LinkView => ({
  kind: 'action',
  link,
  action,
  csrf: 'nonce.mac',
  refused: false,
  ...more,
});
const refresh = (view: LinkView): string | undefined =>
  /<meta http-equiv="refresh" content="([^"]*)"/.exec(renderLinkPage(view, 'en').html)?.[1];

describe('a customer who comes back to a payment begun before', () => {
  const resumed = (method: 'GET' | 'POST') =>
    acting({ type: 'redirect', method, url: 'https://pay.example/x' }, { resumed: true });

  it('is not sent on by itself, and may go on or pay in another way', () => {
    const { html } = renderLinkPage(resumed('GET'), 'en');
    expect([refresh(resumed('GET')), html]).toEqual([
      undefined,
      expect.stringContaining('<h1>You have begun to pay</h1>'),
    ]);
    expect(html).toContain('<a class="button" href="https://pay.example/x">');
    expect(html).toContain('<button class="button second" name="do" value="cancel">');
  });

  it('is told the same where fields go along', () =>
    expect(renderLinkPage(resumed('POST'), 'en').html).toContain('<h1>You have begun to pay</h1>'));
});

describe.each<[string, (waiting?: object) => LinkView]>([
  ['a payment that is processed', (waiting) => ({ kind: 'processing', link, ...waiting })],
  ['a payment to approve elsewhere', (waiting) => acting({ type: 'await' }, waiting)],
])('the page of %s', (_, view) => {
  it('can be told to stop asking by itself', () => {
    const asking = view({ waiting: { paused: false, other: OTHER } });
    expect([refresh(asking), renderLinkPage(asking, 'en').html]).toEqual([
      '5',
      expect.stringContaining(`href="${OTHER.replaceAll('&', '&amp;')}">Stop`),
    ]);
  });

  it('asks no more when it was told so, says that, and can be told to go on', () => {
    const paused = view({ waiting: { paused: true, other: OTHER } });
    const { html } = renderLinkPage(paused, 'en');
    expect([refresh(paused), html.includes('every 5 seconds')]).toEqual([undefined, false]);
    expect(html).toMatch(
      /does not look for news by itself[\s\S]*<a class="button second" href="">[\s\S]*by itself again<\/a>/,
    );
  });

  it('offers no switch where it knows of none', () =>
    expect(renderLinkPage(view(), 'en').html).not.toContain('class="link small"'));

  it.each(['javascript:alert(1)', '?still=1'])('takes no address for the switch but a web address: %s', (other) => {
    expect(() => renderLinkPage(view({ waiting: { paused: false, other } }), 'en')).toThrow(TypeError);
  });
});
