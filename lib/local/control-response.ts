import type { IncomingMessage, ServerResponse } from 'node:http';
import { html, pageHeaders } from '#shared/http/html.ts';

/** Where a browser goes next, with the cookies that it takes along. */
export class Redirect {
  readonly location: string;
  readonly cookies: readonly string[];
  constructor(location: string, cookies: readonly string[] = []) {
    this.location = location;
    this.cookies = cookies;
  }
}

/** What a person in a browser gets where the one-click sign-in fails, in place of an error in JSON. */
export class SignInErrorPage {
  readonly status: number;
  readonly message: string;
  constructor(status: number, message: string) {
    this.status = status;
    this.message = message;
  }
}

/** JSON for people at a terminal: over several lines, with an end of line. Texts, pages and redirects are sent as such. */
export function writeControl(response: ServerResponse, status: number, body: unknown): void {
  if (body instanceof Redirect) {
    const { location, cookies } = body;
    response.writeHead(303, { location, 'set-cookie': [...cookies], 'cache-control': 'no-store' }).end();
    return;
  }
  if (body instanceof SignInErrorPage) {
    response.writeHead(body.status, { ...pageHeaders(false), 'content-security-policy': "default-src 'none'" });
    response.end(signInErrorPage(body.message));
    return;
  }
  const [type, text] =
    typeof body === 'string'
      ? ['text/plain; charset=utf-8', body]
      : ['application/json', `${JSON.stringify(body, null, 2)}\n`];
  response.writeHead(status, { 'content-type': type }).end(text);
}

const signInErrorPage = (message: string): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>Not signed in – Payfork</title></head>
<body>
<h1>You are not signed in</h1>
<p>${message}</p>
</body>
</html>
`.toString();

const LOOPBACK = ['127.0.0.1', 'localhost'];

/** Refuses requests from web pages: they come with an origin, or under another host name that was pointed here. */
export function isFromThisMachine({ headers: { host = '', origin } }: IncomingMessage): boolean {
  const nameOf = (address: string) => (URL.canParse(address) ? new URL(address).hostname : '');
  return LOOPBACK.includes(nameOf(`http://${host}`)) && (origin === undefined || LOOPBACK.includes(nameOf(origin)));
}

/**
 * Lets pages of the API's own origins read the answers: the Lab of the dashboard. No other page may, not even of another
 * port of this machine. Returns whether the request was a preflight, and is answered.
 */
export function allowOwnPages(message: IncomingMessage, response: ServerResponse, api: string): boolean {
  const { origin } = message.headers;
  const { port } = new URL(api);
  if (origin === undefined || !LOOPBACK.some((name) => origin === `http://${name}:${port}`)) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  if (message.method !== 'OPTIONS') return false;
  const allowed = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'Content-Type',
  };
  response.writeHead(204, { ...allowed, 'access-control-max-age': '7200' }).end();
  return true;
}
