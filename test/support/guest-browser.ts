import type { Body, TestHost } from '#test/support/host.ts';

export type GuestPage = {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly html: string;
};

export type GuestBrowser = {
  /** Opens a URL and follows redirects within the service. */
  readonly open: (url: string) => Promise<GuestPage>;
  /** Fills in and submits the form with this button. */
  readonly submit: (page: GuestPage, button: string, fill?: Readonly<Record<string, string>>) => Promise<GuestPage>;
  /** Sends one request and follows no redirect. */
  readonly send: (
    url: string,
    body: URLSearchParams | undefined,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<GuestPage>;
};

/** A customer's browser as far as payment links need one: it keeps cookies, submits forms and follows redirects. */
export function aGuest(host: TestHost, language = 'en'): GuestBrowser {
  const cookies = new Map<string, string>();

  async function send(
    url: string,
    body: URLSearchParams | undefined,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<GuestPage> {
    const reply = await fetch(url, {
      method: body ? 'POST' : 'GET',
      ...(body && { body }),
      headers: {
        'accept-language': language,
        ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
        ...headers,
      },
      redirect: 'manual',
    });
    for (const line of reply.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      cookies.set(name, value);
    }
    return { status: reply.status, url, headers: reply.headers, html: await reply.text() };
  }

  async function follow(first: GuestPage): Promise<GuestPage> {
    let page = first;
    for (let hops = 0; hops < 5; hops += 1) {
      const location = page.headers.get('location');
      if (page.status !== 303 || !location?.startsWith(host.info.api)) return page;
      page = await send(location, undefined);
    }
    throw new Error('The page redirects in a circle.');
  }

  return {
    send,
    open: async (url) => follow(await send(url, undefined)),
    submit: async (page, button, fill = {}) =>
      follow(await send(page.url, fieldsOf(page.html, button, fill), { origin: host.info.api })),
  };
}

/** The fields of the form with that button, hidden ones included. */
export function fieldsOf(html: string, button: string, fill: Readonly<Record<string, string>> = {}): URLSearchParams {
  const form = [...html.matchAll(/<form\b[^>]*>(.*?)<\/form>/gs)]
    .map(([, content = '']) => content)
    .find((content) => content.includes(`value="${button}"`));
  if (form === undefined) throw new Error(`The page has no button ${button}: ${html.slice(0, 2_000)}`);
  const fields = new URLSearchParams();
  for (const [, input = ''] of form.matchAll(/<input\b([^>]*)>/g)) {
    const [name, value = ''] = [attribute(input, 'name'), attribute(input, 'value')];
    const chosen = !/type="radio"/.test(input) || /\schecked\b/.test(input);
    if (name && chosen) fields.set(name, value);
  }
  fields.set('do', button);
  for (const [name, value] of Object.entries(fill)) fields.set(name, value);
  return fields;
}

const attribute = (text: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&');

/** The URL at the provider that the page redirects or links to. */
export function providerUrl({ html }: GuestPage): string {
  const url =
    /<meta http-equiv="refresh" content="0;\s*url=([^"]+)"/i.exec(html)?.[1] ??
    attribute(/<a\b[^>]*href="http[^>]*>/.exec(html)?.[0] ?? '', 'href');
  if (url === undefined) throw new Error(`The page has no link to a provider: ${html.slice(0, 2_000)}`);
  return url.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
}

/** The headline of the page. */
export const headline = ({ html }: GuestPage): string =>
  /<h1\b[^>]*>(.*?)<\/h1>/s
    .exec(html)?.[1]
    ?.replaceAll(/<[^>]+>/g, '')
    .trim() ?? '';

export const aLink = async (
  host: TestHost,
  more: Readonly<Record<string, unknown>> = {},
  key?: string,
): Promise<Body> =>
  (
    await host.call(
      'POST',
      '/v1/payment-links',
      { amount: 5_000, currency: 'EUR', ...more },
      key === undefined ? {} : { key },
    )
  ).body;

export const getLink = async (host: TestHost, id: string): Promise<Body> =>
  (await host.call('GET', `/v1/payment-links/${id}`)).body;
