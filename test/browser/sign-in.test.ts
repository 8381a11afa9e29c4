import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aCustomer,
  accessibilityFaults,
  DESKTOP,
  overflows,
  PHONE,
  SMALL_PHONE,
} from '#test/browser/link-page.support.ts';
import { browserSuite } from '#test/support/chromium.ts';
import { type Body, startHost, type TestHost } from '#test/support/host.ts';
import { browserWithCookie, mailedToken } from '#test/support/people.ts';
import { aTotpUser, withTotp } from '#test/support/totp-app.ts';

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(() => host?.close());

let count = 0;
const newEmail = (): string => `visitor-${++count}@example.com`;
const page = (token?: string): string =>
  `${host.deps.config.pagesUrl}/sign-in${token === undefined ? '' : `?token=${token}`}`;
const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true });
const message = (on: Page) => on.getByRole('status');
/** The page goes on to the dashboard, with the session of this address. */
async function isSignedIn(on: Page, email: string): Promise<void> {
  await on.waitForURL(/\/dashboard/);
  const session = await on.evaluate<Body>("fetch('/v1/auth/session').then((reply) => reply.json())");
  expect(session.user.email).toBe(email);
}

browserSuite('the sign-in page in a browser', (browser) => {
  /** A browser that has signed in with a mailed link. */
  const aVisitor = async (email: string, options?: BrowserContextOptions): Promise<Page> =>
    aVisitorWith(await mailedToken(host, email), email, options);

  async function aVisitorWith(token: string, email: string, options: BrowserContextOptions = DESKTOP): Promise<Page> {
    const visitor = await aCustomer(browser(), options);
    await visitor.goto(page(token));
    await button(visitor, 'Sign in').click();
    await isSignedIn(visitor, email);
    return visitor;
  }

  it('signs in with a mailed link once its button is pressed, with a cookie that no script can read', async () => {
    const email = newEmail();
    const visitor = await aVisitor(email, PHONE);
    const [cookie] = await visitor.context().cookies();
    expect(cookie).toMatchObject({ name: 'service_session', httpOnly: true, secure: true, sameSite: 'Lax' });
    expect(await visitor.evaluate<string>('document.cookie')).toBe('');
  });

  it('continues to the dashboard, and going back does not lead to the link', async () => {
    const visitor = await aCustomer(browser());
    await visitor.goto(page());
    await visitor.goto(page(await mailedToken(host, newEmail())));
    await visitor.evaluate("document.querySelector('main').dataset.next = '/v1/auth/session'");
    await button(visitor, 'Sign in').click();
    await visitor.waitForURL('**/v1/auth/session');
    await visitor.goBack();
    expect(visitor.url()).toBe(page());
  });

  it('leads back to the screen that sent the visitor here, by the mailed link too', async () => {
    const email = newEmail();
    const visitor = await aCustomer(browser());
    const screen = '/dashboard/payments?status=failed&currency=EUR';
    await visitor.goto(`${page()}?next=${encodeURIComponent(screen)}`);
    await visitor.getByLabel('Email address').fill(email);
    await visitor.keyboard.press('Enter');
    await message(visitor).getByText('a sign-in link is on its way').waitFor();
    const [mail] = (await host.control('GET', `/mailbox?to=${email}`)).body;
    const tab = await visitor.context().newPage();
    await tab.goto(/http\S+/.exec(mail.text)?.[0] ?? '');
    await button(tab, 'Sign in').click();
    await tab.waitForURL(`**${screen}`);
  });

  it('tells the second of two browsers that the link was already used', async () => {
    const token = await mailedToken(host, newEmail());
    const [first, second] = [await aCustomer(browser()), await aCustomer(browser())];
    for (const visitor of [first, second]) await visitor.goto(page(token));
    await button(first, 'Sign in').click();
    await first.waitForURL(/\/dashboard/);
    await button(second, 'Sign in').click();
    await message(second).getByText('This sign-in link has expired or was already used').waitFor();
    expect(await button(second, 'Sign in').isVisible()).toBe(false);
    expect(await second.evaluate<string>('document.activeElement.id')).toBe('message');
    expect(await accessibilityFaults(second)).toEqual([]);
    await second.getByRole('link', { name: 'Sign in another way' }).click();
    await second.getByLabel('Email address').waitFor();
  });

  it('offers a new link where the link was used, and nothing to press for the old one', async () => {
    const email = newEmail();
    const token = await mailedToken(host, email);
    await aVisitorWith(token, email);
    const other = await aCustomer(browser(), PHONE);
    await other.goto(page(token));
    await button(other, 'Sign in').click();
    await message(other).getByText('Request a new one.').waitFor();
    expect(await other.getByText('press the button').isVisible()).toBe(false);
    await other.getByLabel('Email address').fill(email);
    await button(other, 'Send me a sign-in link').click();
    await message(other).getByText('a sign-in link is on its way').waitFor();
    expect([await accessibilityFaults(other), await overflows(other)]).toEqual([[], false]);
  });

  it('is signed in already in the browser that used the link', async () => {
    const email = newEmail();
    const token = await mailedToken(host, email);
    const visitor = await aVisitorWith(token, email);
    await visitor.goto(page(token));
    await button(visitor, 'Sign in').click();
    await isSignedIn(visitor, email);
  });

  it.each([
    ['de-DE', 'Anmelden', 'Dieser Anmeldelink ist abgelaufen oder wurde schon verwendet.', 'E-Mail-Adresse'],
    ['fr-FR', 'Se connecter', 'Ce lien de connexion a expiré ou a déjà été utilisé.', 'Adresse e-mail'],
    ['es-ES', 'Iniciar sesión', 'Este enlace de acceso ha caducado o ya se ha usado.', 'Correo electrónico'],
    ['nl-NL', 'Inloggen', 'Deze inloglink is verlopen of al gebruikt.', 'E-mailadres'],
    ['pt-PT', 'Iniciar sessão', 'Este link de acesso expirou ou já foi usado.', 'Endereço de e-mail'],
  ])('speaks %s, in its script too', async (locale, signIn, used, label) => {
    const visitor = await aCustomer(browser(), { ...DESKTOP, locale });
    await visitor.goto(page('a'.repeat(43)));
    await button(visitor, signIn).click();
    await message(visitor).getByText(used).waitFor();
    await visitor.getByLabel(label).waitFor();
    expect([await visitor.locator('html').getAttribute('lang'), await accessibilityFaults(visitor)]).toEqual([
      locale.slice(0, 2),
      [],
    ]);
  });

  it('takes a code typed in Arabic digits', async () => {
    const person = await aTotpUser(host, newEmail());
    const visitor = await aCustomer(browser());
    await visitor.goto(page(await mailedToken(host, person.user.email)));
    await button(visitor, 'Sign in').click();
    await message(visitor).getByText('Enter the code from your authenticator app').waitFor();
    await visitor
      .getByLabel('Code')
      .fill(person.code().replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))));
    await visitor.keyboard.press('Enter');
    await isSignedIn(visitor, person.user.email);
  });

  it('asks for the code if there is a second factor, and again after a wrong code', async () => {
    const person = await aTotpUser(host, newEmail());
    const visitor = await aCustomer(browser());
    await visitor.goto(page(await mailedToken(host, person.user.email)));
    expect(await visitor.getByLabel('Code').isVisible()).toBe(false);
    await visitor.keyboard.press('Tab');
    await visitor.keyboard.press('Enter');
    await message(visitor).getByText('Enter the code from your authenticator app').waitFor();
    expect(await visitor.evaluate<string>('document.activeElement.id')).toBe('code');
    expect(await accessibilityFaults(visitor)).toEqual([]);
    await visitor.keyboard.type('wrong-code');
    await visitor.keyboard.press('Enter');
    await message(visitor).getByText('This code is incorrect').waitFor();
    expect(await visitor.getByLabel('Code').getAttribute('aria-invalid')).toBe('true');
    await visitor.keyboard.type(person.code());
    await visitor.keyboard.press('Enter');
    await isSignedIn(visitor, person.user.email);
  });

  it('sends a sign-in link by email', async () => {
    const email = newEmail();
    const visitor = await aCustomer(browser());
    await visitor.goto(page());
    await visitor.getByLabel('Email address').fill(email);
    await visitor.keyboard.press('Enter');
    await message(visitor).getByText('a sign-in link is on its way').waitFor();
    expect((await host.control('GET', `/mailbox?to=${email}`)).body).toHaveLength(1);
    await visitor.getByLabel('Email address').fill('someone@localhost');
    await button(visitor, 'Send me a sign-in link').click();
    await message(visitor).getByText('Something you entered is not valid').waitFor();
    expect(await visitor.getByLabel('Email address').getAttribute('aria-invalid')).toBe('true');
  });

  it('works without JavaScript, also with a code', async () => {
    const person = await aTotpUser(host, newEmail());
    const visitor = await aCustomer(browser(), { ...DESKTOP, javaScriptEnabled: false });
    for (const [email, press] of [
      [newEmail(), () => button(visitor, 'Sign in').click()],
      [
        person.user.email,
        async () => {
          await visitor.locator('#plain-code').fill(person.code());
          await button(visitor, 'Sign in with a code').click();
        },
      ],
    ] as const) {
      await visitor.goto(page(await mailedToken(host, email)));
      await press();
      await visitor.waitForURL(/\/v1\/auth\/verify\?token=/);
      expect(JSON.parse((await visitor.locator('body').textContent()) ?? '').user.email).toBe(email);
      expect((await visitor.context().cookies()).map(({ name }) => name).toSorted()).toEqual([
        'service_browser',
        'service_session',
      ]);
    }
  });

  it.each([
    ['a phone', PHONE],
    ['a small phone in dark mode', { ...SMALL_PHONE, colorScheme: 'dark' }],
    ['a desktop', DESKTOP],
    ['a desktop in dark mode', { ...DESKTOP, colorScheme: 'dark' }],
  ] as const)('is accessible and does not overflow on %s', async (_, options) => {
    const visitor = await aCustomer(browser(), options);
    for (const address of [page(), page('broken'), page(await mailedToken(host, newEmail()))]) {
      await visitor.goto(address);
      expect([await accessibilityFaults(visitor), await overflows(visitor)]).toEqual([[], false]);
    }
    await visitor.goto(page('broken'));
    expect(await message(visitor).textContent()).toContain('incomplete');
    await button(visitor, 'Sign in with a passkey').waitFor();
  });

  describe('with a passkey', () => {
    type Device = { readonly cdp: CDPSession; readonly authenticatorId: string };

    async function aDevice(visitor: Page, isUserVerified = true): Promise<Device> {
      const cdp = await visitor.context().newCDPSession(visitor);
      await cdp.send('WebAuthn.enable');
      const options = {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
      } as const;
      return {
        cdp,
        ...(await cdp.send('WebAuthn.addVirtualAuthenticator', {
          options: { ...options, automaticPresenceSimulation: true },
        })),
      };
    }

    /** Registers a passkey as a dashboard does, from a page of our own origin. */
    const register = (visitor: Page): Promise<Body> =>
      visitor.evaluate(`(async () => {
        const post = async (path, body) => {
          const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
          const response = await fetch('/v1/auth/webauthn/register/' + path, how);
          return { status: response.status, ...(await response.json()) };
        };
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(await post('begin', {}));
        const credential = await navigator.credentials.create({ publicKey });
        return post('finish', { ...credential.toJSON(), name: 'This laptop' });
      })()`);

    /** With the visitor's session, which the new passkey has just proved. */
    async function turnOnSecondFactor(visitor: Page): Promise<void> {
      const cookies = await visitor.context().cookies();
      const { value } = cookies.find(({ name }) => name === 'service_session') ?? {};
      const session = browserWithCookie(host, `service_session=${value}`);
      const { user, organizations } = (await session.call('GET', '/v1/auth/session')).body;
      await withTotp(host, { ...session, user, organizations, org: '' });
    }

    const signOut = (visitor: Page): Promise<number> =>
      visitor.evaluate(async () => (await fetch('/v1/auth/logout', { method: 'POST' })).status);

    async function press(visitor: Page): Promise<void> {
      await visitor.goto(page());
      await button(visitor, 'Sign in with a passkey').click();
    }

    it('signs in with a passkey, without a code even if there is a second factor', async () => {
      const email = newEmail();
      const visitor = await aVisitor(email);
      await aDevice(visitor);
      expect(await register(visitor)).toMatchObject({ status: 201, name: 'This laptop', transports: ['internal'] });
      await turnOnSecondFactor(visitor);
      for (const times of [1, 2]) {
        await press(visitor);
        await isSignedIn(visitor, email);
        expect([times, await signOut(visitor)]).toEqual([times, 200]);
        const left = (await visitor.context().cookies()).map(({ name }) => name);
        expect(left).not.toContain('service_session');
      }
    });

    it('creates no second passkey on the same device', async () => {
      const visitor = await aVisitor(newEmail());
      await aDevice(visitor);
      await register(visitor);
      await expect(register(visitor)).rejects.toThrow('InvalidStateError');
    });

    it('refuses a passkey whose counter goes back, as that of a copy does', async () => {
      const visitor = await aVisitor(newEmail());
      const { cdp, authenticatorId } = await aDevice(visitor);
      await register(visitor);
      const [before] = (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
      await press(visitor);
      await visitor.waitForURL(/\/dashboard/);
      expect(await signOut(visitor)).toBe(200);
      await cdp.send('WebAuthn.clearCredentials', { authenticatorId });
      await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: before! });
      await press(visitor);
      await message(visitor).getByText('This passkey could not be verified').waitFor();
      expect((await visitor.context().cookies()).map(({ name }) => name)).toEqual(['service_browser']);
      expect(await accessibilityFaults(visitor)).toEqual([]);
    });

    it('says that no passkey was used if the device has none', async () => {
      const visitor = await aCustomer(browser());
      await aDevice(visitor);
      await press(visitor);
      await message(visitor).getByText('No passkey was used').waitFor();
      expect(await button(visitor, 'Sign in with a passkey').isEnabled()).toBe(true);
    });
  });
});
