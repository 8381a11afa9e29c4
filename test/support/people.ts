import type { ApiResponse, CallOptions, TestHost } from '#test/support/host.ts';

/** A dashboard origin that the local host allows. */
export const DASHBOARD = 'http://localhost:5173';

type Browser = {
  /** Sends a request as a signed-in browser does: with the session cookie and the dashboard's origin. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    how?: CallOptions & { readonly org?: string },
  ) => Promise<ApiResponse>;
  readonly cookie: string;
};

const tokenIn = (text: string): string => /\/sign-in\?token=([A-Za-z0-9]+)/.exec(text)?.[1] ?? '';

/** Requests a sign-in link, and returns the token of the email. */
export async function mailedToken(host: TestHost, email: string): Promise<string> {
  const sent = await host.call('POST', '/v1/auth/magic-link', { email }, { key: null, idempotencyKey: null });
  if (sent.status !== 202) throw new Error(`No sign-in link: ${sent.text}`);
  const mails = (await host.control('GET', `/mailbox?to=${encodeURIComponent(email)}`)).body;
  return tokenIn(mails.at(-1)?.text ?? '');
}

export const verify = (host: TestHost, token: string, code?: string): Promise<ApiResponse> =>
  host.call(
    'GET',
    `/v1/auth/verify?token=${token}${code === undefined ? '' : `&code=${encodeURIComponent(code)}`}`,
    undefined,
    { key: null },
  );

/** The cookie that a response sets, as a browser sends it back. */
export const cookieOf = ({ headers }: ApiResponse): string => headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** As browsers do, it sends the newest cookie that it was given. `cookie` is the one of the beginning. */
export function browserWithCookie(host: TestHost, cookie: string): Browser {
  let newest = cookie;
  return {
    cookie,
    call: async (method, path, body, { org, headers, ...how } = {}) => {
      const response = await host.call(method, path, body, {
        key: null,
        ...how,
        headers: { cookie: newest, origin: DASHBOARD, ...(org !== undefined && { 'x-org-id': org }), ...headers },
      });
      if (response.headers.getSetCookie().some((line) => /^service_session=\w/.test(line))) newest = cookieOf(response);
      return response;
    },
  };
}

export type SignedInUser = Browser & {
  readonly user: { readonly id: string; readonly email: string };
  readonly organizations: readonly { readonly id: string; readonly name: string; readonly role: string }[];
  /** The id of the first organization. */
  readonly org: string;
};

/** Signs in with a sign-in link. */
export const signIn = async (host: TestHost, email: string): Promise<SignedInUser> =>
  signedInUser(host, await verify(host, await mailedToken(host, email)));

/** The user whom this response has signed in. */
export function signedInUser(host: TestHost, response: ApiResponse): SignedInUser {
  if (response.status !== 200) throw new Error(`Not signed in: ${response.text}`);
  return {
    ...browserWithCookie(host, cookieOf(response)),
    user: response.body.user,
    organizations: response.body.organizations,
    org: response.body.organizations[0]?.id,
  };
}

/** Proves again who the user is, with a mailed link: for tests whose clock moves on. */
export async function prove(host: TestHost, { call, user }: SignedInUser): Promise<void> {
  const proved = await call('POST', '/v1/auth/prove', { token: await mailedToken(host, user.email) });
  if (proved.status !== 200) throw new Error(`Not proved: ${proved.text}`);
}
