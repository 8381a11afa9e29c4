import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCOUNT_LINK_ACTIONS } from '#functions/hosted-pages/account-links/account-link.model.ts';
import { LANGUAGES } from '#functions/hosted-pages/views/i18n.page.ts';
import { aCustomer, accessibilityFaults, overflows, PHONE, SMALL_PHONE } from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { mailedToken, verify } from '#test/support/people.ts';
import { aTotpUser } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true });
const message = (on: Page) => on.getByRole('status');

/** The link of this kind in the newest mail that has one. */
async function mailedLink(email: string, action: string): Promise<string> {
  const mails: Body[] = (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body;
  const links = mails.flatMap(({ text }) => new RegExp(`http\\S+action=${action}\\S+`).exec(text)?.[0] ?? []);
  return links.at(-1) ?? '';
}

browserSuite('the pages of mailed links that change an account, in a browser', (browser) => {
  it('undoes a change once the button is pressed, and says so', async () => {
    const person = await aTotpUser(host, 'undone@example.com');
    const visitor = await aCustomer(browser(), PHONE);
    await visitor.goto(await mailedLink(person.user.email, 'undo'));
    expect((await verify(host, await mailedToken(host, person.user.email))).body.code).toBe('totp_required');
    await button(visitor, 'Undo the change').click();
    await message(visitor).getByText('The change is undone').waitFor();
    expect(await button(visitor, 'Undo the change').isVisible()).toBe(false);
    expect(await visitor.evaluate<string>('document.activeElement.id')).toBe('message');
    expect(await accessibilityFaults(visitor)).toEqual([]);
    expect((await verify(host, await mailedToken(host, person.user.email))).status).toBe(200);

    await visitor.reload();
    await button(visitor, 'Undo the change').click();
    await message(visitor).getByText('This link has expired or was already used.').waitFor();
  });

  it('leads from the sign-in page to a request for recovery, and from its mail to stopping it', async () => {
    const person = await aTotpUser(host, 'lost@example.com');
    const visitor = await aCustomer(browser(), PHONE);
    const token = await mailedToken(host, person.user.email);
    await visitor.goto(`${host.deps.config.pagesUrl}/sign-in?token=${token}`);
    await button(visitor, 'Sign in').click();
    await visitor.getByRole('link', { name: 'Lost your phone and your codes?' }).click();
    await button(visitor, 'Request recovery').click();
    await message(visitor).getByText('We received your request').waitFor();

    await visitor.goto(await mailedLink(person.user.email, 'finish-recovery'));
    await button(visitor, 'Recover my account').click();
    await message(visitor).getByText('The waiting time is not over.').waitFor();
    await visitor.goto(await mailedLink(person.user.email, 'cancel-recovery'));
    await button(visitor, 'Stop the recovery').click();
    await message(visitor).getByText('The recovery is stopped.').waitFor();
  });

  it.each(LANGUAGES)('fit on a small phone in %s, and pass the accessibility check', async (locale) => {
    const visitor = await aCustomer(browser(), { ...SMALL_PHONE, locale });
    for (const action of [...Object.keys(ACCOUNT_LINK_ACTIONS), 'unknown']) {
      await visitor.goto(`${host.deps.config.pagesUrl}/account-link?action=${action}&token=${'a'.repeat(43)}`);
      expect([action, await overflows(visitor), await accessibilityFaults(visitor)]).toEqual([action, false, []]);
    }
  });
});
