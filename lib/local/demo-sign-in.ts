import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { Redirect, SignInErrorPage } from '#lib/local/control-response.ts';
import type { HostInfo } from '#lib/local/host-info.ts';
import type { Mailbox } from '#lib/local/mailbox.ts';
import { AppError, ERROR_CODES, type ErrorCode, toProblem } from '#shared/kernel/errors.ts';

type Host = { readonly info: Pick<HostInfo, 'api' | 'owner_email'>; readonly mailbox: Mailbox };

/** An error is a page for those who ask for one. */
export async function showDemoSignIn(headers: IncomingHttpHeaders, host: Host): Promise<Redirect | SignInErrorPage> {
  try {
    return await signInDemoOwner(headers, host);
  } catch (error) {
    if (!(error instanceof AppError) || !headers.accept?.includes('text/html')) throw error;
    return new SignInErrorPage(toProblem(error).status, error.message);
  }
}

/**
 * Signs the demo owner in with one click: it requests a sign-in link, takes it out of the mailbox and uses it, all
 * through the API. Browsers say how somebody came here. A page of any site could lead its visitors here, or load this
 * address unseen, and is refused. A client that does not say gets the page of the link, where a person presses a button.
 */
async function signInDemoOwner(headers: IncomingHttpHeaders, { info, mailbox }: Host): Promise<Redirect> {
  const cameFrom = headers['sec-fetch-site'];
  if (cameFrom !== undefined && cameFrom !== 'none')
    throw new AppError(
      'bad_origin',
      'A page led here. Open this address yourself: click it in your terminal, or paste it.',
    );
  const api = apiAt(headers.host, info.api);
  const cookie = headers.cookie ?? '';
  await requestLink(info, cookie);
  const token = tokenIn(mailbox.to(info.owner_email).at(-1)?.text);
  const page = new Redirect(`${api}/sign-in?token=${token}`);
  if (cameFrom === undefined) return page;
  const used = await fetch(`${info.api}/v1/auth/verify?token=${token}`, { headers: { cookie } });
  // With a second factor the code is missing, for which the page asks.
  return used.ok ? new Redirect(`${api}/dashboard`, used.headers.getSetCookie()) : page;
}

const Problem = z.object({ code: z.custom<ErrorCode>((code) => String(code) in ERROR_CODES), message: z.string() });

/** The cookie says whether this browser has signed in before, which is worth more links. */
async function requestLink({ api, owner_email: email }: Host['info'], cookie: string): Promise<void> {
  const sent = await fetch(`${api}/v1/auth/magic-link`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ email }),
  });
  if (sent.ok) return;
  const { code, message } = Problem.parse(await sent.json());
  throw new AppError(code, message);
}

const tokenIn = (mail = ''): string => /\/sign-in\?token=([A-Za-z0-9]+)/.exec(mail)?.[1] ?? '';

/** Cookies belong to a host name, whatever its port: the browser stays at the one that it came to. */
function apiAt(host: string | undefined, api: string): string {
  const address = new URL(api);
  address.hostname = new URL(`http://${host}`).hostname;
  return address.origin;
}
