import type { Answer, CallOptions, TestHost } from '#test/support/host.ts';

/** A page of a dashboard that the local host allows. */
export const DASHBOARD = 'http://localhost:5173';

type Browser = {
  /** What the browser of somebody who is signed in sends: the cookie, and its page's origin. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    how?: CallOptions & { readonly org?: string },
  ) => Promise<Answer>;
  readonly cookie: string;
};

const tokenIn = (text: string): string => /\/sign-in\?token=([A-Za-z0-9]+)/.exec(text)?.[1] ?? '';

/** Asks for a sign-in link and gives the token that was mailed. */
export async function mailedToken(host: TestHost, email: string): Promise<string> {
  const asked = await host.call('POST', '/v1/auth/magic-link', { email }, { key: null, idempotencyKey: null });
  if (asked.status !== 202) throw new Error(`No sign-in link: ${asked.text}`);
  const mails = (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body;
  return tokenIn(mails.at(-1)?.text ?? '');
}

export const verify = (host: TestHost, token: string, code?: string): Promise<Answer> =>
  host.call(
    'GET',
    `/v1/auth/verify?token=${token}${code === undefined ? '' : `&code=${encodeURIComponent(code)}`}`,
    undefined,
    { key: null },
  );

/** The cookie that an answer sets, as a browser would send it back. */
export const cookieOf = ({ headers }: Answer): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

export const browserWith = (host: TestHost, cookie: string): Browser => ({
  cookie,
  call: (method, path, body, { org, headers, ...how } = {}) =>
    host.call(method, path, body, {
      key: null,
      ...how,
      headers: { cookie, origin: DASHBOARD, ...(org !== undefined && { 'x-org-id': org }), ...headers },
    }),
});

export type SignedInPerson = Browser & {
  readonly user: { readonly id: string; readonly email: string };
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  /** The id of the first organization. */
  readonly org: string;
};

/** Somebody who signs in by a mailed link. */
export async function signIn(host: TestHost, email: string): Promise<SignedInPerson> {
  const answer = await verify(host, await mailedToken(host, email));
  if (answer.status !== 200) throw new Error(`Not signed in: ${answer.text}`);
  return {
    ...browserWith(host, cookieOf(answer)),
    user: answer.body.user,
    organizations: answer.body.organizations,
    org: answer.body.organizations[0]?.id,
  };
}
