import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '#functions/hosted-pages/views/i18n.page.ts';
import { rawRequest } from '#test/http/watched-host.support.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import {
  act,
  advance,
  arrange,
  drain,
  eventTypesOf,
  moneyOf,
  pay,
  payOnPage,
  read,
} from '#test/support/payment-steps.ts';

/** What customers see who come back to us, where the merchant gave no `return_url` and there is no link. */
let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterEach(() => host.control('DELETE', '/psp/scenario'));
afterAll(() => host.close());

type Shown = { readonly status: number; readonly location: string | null; readonly html: string; readonly url: string };

async function visit(url: string, init: RequestInit = {}): Promise<Shown> {
  const reply = await fetch(url, { ...init, redirect: 'manual' });
  return { status: reply.status, location: reply.headers.get('location'), html: await reply.text(), url };
}

/** Presses a button on the provider's page, and returns the URL that the customer is redirected to. */
async function choose(url: string, choice: string): Promise<string> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams({ do: choice }), redirect: 'manual' });
  return reply.headers.get('location') ?? '';
}

const viewOf = ({ html }: Shown): string | undefined => /data-view="([a-z-]+)"/.exec(html)?.[1];
const headline = ({ html }: Shown): string | undefined => /<h1[^>]*>([^<]*)/.exec(html)?.[1];
const THANKS = /thank|danke|dank|merci|gracias|obrigado/i;

/** Submits the form with the button "Try again", and follows to the page that it leads to. */
async function tryAgain({ html, url }: Shown, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
  const sent = await visit(url, {
    method: 'POST',
    body: new URLSearchParams({ do: 'retry', csrf: /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '' }),
    headers: { origin: host.info.api, ...headers },
  });
  expect([sent.status, sent.location?.startsWith(host.info.api)]).toEqual([303, true]);
  return visit(sent.location ?? '');
}

/** The provider's page that a page of ours opens by itself. */
const opens = ({ html }: Shown): string =>
  /http-equiv="refresh" content="0;url=([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';

/** A card that the shop collected, and whose customer fails 3-D Secure. */
async function failedAuthentication(more: Body = {}): Promise<{ readonly id: string; readonly back: string }> {
  await arrange(host, 'requires_action');
  const { id, next_action } = await pay(host, 'needs_3ds', more);
  const back = await choose(next_action.url, 'fail');
  await drain(host);
  return { id, back };
}

describe('a customer who comes back without having paid', () => {
  it('and failed 3-D Secure is told so, and tries again with the same card', async () => {
    const { id, back } = await failedAuthentication();
    const failed = await visit(back);
    expect([failed.status, viewOf(failed), headline(failed)]).toEqual([
      200,
      'failed',
      'Your payment did not go through',
    ]);
    expect(failed.html).toContain('Your bank could not confirm that it was you.');
    expect(failed.html).not.toMatch(THANKS);
    await arrange(host, 'requires_action');
    const again = await tryAgain(failed);
    expect([viewOf(again), (await read(host, id)).status]).toEqual(['action', 'requires_action']);
    expect(viewOf(await visit(await choose(opens(again), 'authenticate')))).toBe('succeeded');
    expect([(await moneyOf(host, id)).count, await eventTypesOf(host, id)]).toEqual([
      1,
      ['created', 'failed', 'succeeded'],
    ]);
  });

  it('and canceled on the provider’s page is told so, and goes back there', async () => {
    const { id, next_action } = await payOnPage(host);
    const stopped = await visit(await choose(next_action.url, 'cancel'));
    expect([stopped.status, viewOf(stopped), headline(stopped)]).toEqual([200, 'stopped', 'You stopped the payment']);
    expect(stopped.html).not.toMatch(/http-equiv="refresh"/);
    expect(stopped.html).not.toMatch(THANKS);
    const onward = /class="button" href="([^"]+)"/.exec(stopped.html)?.[1]?.replaceAll('&amp;', '&');
    expect(onward).toBe(next_action.url);
    expect(viewOf(await visit(await choose(next_action.url, 'pay')))).toBe('succeeded');
    expect((await moneyOf(host, id)).count).toBe(1);
  });

  it('and seems to have paid is asked to check, and not to pay again, until the provider knows', async () => {
    const { next_action } = await payOnPage(host);
    const back = await choose(next_action.url, 'cancel');
    const unsure = await visit(`${back}&status=successful`);
    expect([viewOf(unsure), headline(unsure)]).toEqual(['unconfirmed', 'Your payment is not confirmed yet']);
    expect([unsure.html.includes(next_action.url), THANKS.test(unsure.html)]).toEqual([false, false]);
    await choose(next_action.url, 'pay');
    const check = /class="button" href="([^"]+)"/.exec(unsure.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(viewOf(await visit(check))).toBe('succeeded');
  });

  it('whose payment timed out starts a new one at the provider', async () => {
    const { id, next_action } = await payOnPage(host);
    const back = await choose(next_action.url, 'cancel');
    await host.control('POST', '/psp/complete', { provider: 'stripe', reference: id, outcome: 'failed' });
    await drain(host);
    const failed = await visit(back);
    expect([viewOf(failed), (await read(host, id)).status]).toEqual(['failed', 'failed']);
    const again = await tryAgain(failed);
    expect([viewOf(again), opens(again) === next_action.url]).toEqual(['action', false]);
    expect(viewOf(await visit(await choose(opens(again), 'pay')))).toBe('succeeded');
  });

  it('whose payment was canceled is told so, and cannot pay it any more', async () => {
    const { id, next_action } = await payOnPage(host);
    const back = await choose(next_action.url, 'cancel');
    await act(host, id, 'cancel');
    const canceled = await visit(back);
    expect([viewOf(canceled), canceled.html.includes('value="retry"'), THANKS.test(canceled.html)]).toEqual([
      'canceled',
      false,
      false,
    ]);
  });

  it('is never thanked in any language', async () => {
    const { back } = await failedAuthentication();
    const { next_action } = await payOnPage(host);
    for (const url of [back, await choose(next_action.url, 'cancel')]) {
      for (const language of LANGUAGES) {
        const shown = await visit(url, { headers: { 'accept-language': language } });
        expect([shown.status, THANKS.test(shown.html)], `${language} ${url}`).toEqual([200, false]);
      }
    }
  });
});

describe('the form to try again', () => {
  it('acts once, however often it is sent', async () => {
    const { id, back } = await failedAuthentication();
    const failed = await visit(back);
    await arrange(host, 'requires_action');
    const answers = await Promise.all([tryAgain(failed), tryAgain(failed), tryAgain(failed)]);
    expect(answers.map(({ status }) => status < 500)).toEqual([true, true, true]);
    expect((await read(host, id)).attempts).toHaveLength(2);
    expect(opens(await tryAgain(failed))).toContain('/stripe/3ds/');
    expect((await read(host, id)).attempts).toHaveLength(2);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another site, by Sec-Fetch-Site', { 'sec-fetch-site': 'cross-site' }],
  ])('is ignored from %s', async (_, headers) => {
    const { id, back } = await failedAuthentication();
    const shown = await tryAgain(await visit(back), headers);
    expect([viewOf(shown), (await read(host, id)).attempts.length]).toEqual(['failed', 1]);
  });

  it('is ignored with a token that we did not make', async () => {
    const { id, back } = await failedAuthentication();
    const shown = await tryAgain({ ...(await visit(back)), html: 'name="csrf" value="guess"' });
    expect([viewOf(shown), (await read(host, id)).attempts.length]).toEqual(['failed', 1]);
  });

  it('is not offered once a day has passed, or where the merchant has a page', async () => {
    const { id, back } = await failedAuthentication();
    await advance(host, '25h');
    const late = await visit(back);
    expect([viewOf(late), late.html.includes('value="retry"')]).toEqual(['failed', false]);
    expect(viewOf(await tryAgain({ ...late, html: 'name="csrf" value="x"' }))).toBe('failed');
    expect((await read(host, id)).attempts).toHaveLength(1);
    const own = await failedAuthentication({
      payment_method: { type: 'card', token: 'needs_3ds', return_url: 'https://shop.example/back' },
    });
    expect((await visit(own.back)).location).toMatch(/^https:\/\/shop\.example\/back\?payment_id=.+&status=failed$/);
  });
});

describe('a customer who comes back later', () => {
  it('is not thanked for what was refunded', async () => {
    const { id, next_action } = await payOnPage(host);
    const back = await choose(next_action.url, 'pay');
    const paid = await visit(back);
    expect([viewOf(paid), headline(paid)]).toEqual(['succeeded', 'Thank you for your payment']);
    await act(host, id, 'refund', { amount: 1_000 });
    await drain(host);
    const partly = await visit(back);
    expect([viewOf(partly), /Refunded[\s\S]*10\.00/.test(partly.html)]).toEqual(['succeeded', true]);
    await act(host, id, 'refund');
    await drain(host);
    const refunded = await visit(back);
    expect([viewOf(refunded), headline(refunded), THANKS.test(refunded.html)]).toEqual([
      'refunded',
      'Your payment was refunded',
      false,
    ]);
  });

  it('waits while the provider has not decided, and the page reloads without what the provider added', async () => {
    await arrange(host, 'pending');
    const { next_action } = await payOnPage(host);
    const back = await choose(next_action.url, 'pay');
    const waiting = await visit(`${back}&session_id=cs_1`);
    const reload = /http-equiv="refresh" content="5;url=([^"]+)"/.exec(waiting.html)?.[1]?.replaceAll('&amp;', '&');
    expect([viewOf(waiting), reload?.includes('session_id'), THANKS.test(waiting.html)]).toEqual([
      'processing',
      false,
      false,
    ]);
    expect(viewOf(await visit(reload ?? ''))).toBe('processing');
  });

  it('is told that a payment is being checked, and not to pay again', async () => {
    await arrange(host, 'wrong_amount');
    const { id, next_action } = await payOnPage(host);
    const back = await choose(next_action.url, 'pay');
    await drain(host);
    const shown = await visit(back);
    expect([(await read(host, id)).review?.reason, viewOf(shown), THANKS.test(shown.html)]).toEqual([
      'amount_mismatch',
      'review',
      false,
    ]);
  });
});

describe('a URL of a page that was typed or copied inexactly', () => {
  const at = (path: string, init?: RequestInit) => visit(`${host.info.api}${path}`, init);

  it.each([
    ['/pay/plink_01kb000000000000000000000a/', '/pay/plink_01kb000000000000000000000a'],
    [
      '/pay/plink_01kb000000000000000000000a//?payment_id=pay_1',
      '/pay/plink_01kb000000000000000000000a?payment_id=pay_1',
    ],
    ['/pay/return/pay_01kb000000000000000000000a/?t=token', '/pay/return/pay_01kb000000000000000000000a?t=token'],
  ])('leads to the page, without the slash at its end: %s', async (path, page) => {
    const { status, location } = await at(path);
    expect([status, location]).toEqual([303, `${host.info.api}${page}`]);
    expect((await at(path, { method: 'HEAD' })).location).toBe(`${host.info.api}${page}`);
  });

  it.each([
    '/pay/plink_none/more',
    '/pay/plink_none/../../evil.example/',
    '/pay/return/a/b/',
    '/pay/%2F%2Fevil.example/',
  ])('is answered with a page in the language of the browser, not with JSON: %s', async (path) => {
    const { hostname, port } = new URL(host.info.api);
    const shown = await rawRequest({
      method: 'GET',
      url: `http://${hostname}:${port}${path}`,
      headers: [['accept-language', 'nl']],
    });
    expect([shown.status, shown.headers.get('content-type')]).toEqual([404, expect.stringMatching(/^text\/html/)]);
    expect(shown.text).toMatch(/<html lang="nl"/);
  });
});
