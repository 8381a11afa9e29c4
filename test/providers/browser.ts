type Form = { readonly action: string; readonly method: string; readonly fields: URLSearchParams };
type Action = {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly fields?: Readonly<Record<string, string>>;
};

const MOST_PAGES = 12;
const REFUSES = /decline|cancel|fail|back|abandon/i;

/**
 * What a customer's browser does from a next action on: follows redirects, and on each page presses the first button
 * that doesn't refuse. Ends where an address leads off this machine, and tells it.
 */
export async function walkThrough({ url, method, fields = {} }: Action): Promise<string> {
  let at = url;
  let send: RequestInit = method === 'POST' ? { method, body: new URLSearchParams(fields) } : {};
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const reply = await fetch(at, { ...send, redirect: 'manual' });
    const location = reply.headers.get('location');
    if (location !== null) {
      const next = new URL(location, at);
      if (next.hostname !== '127.0.0.1') return next.href;
      [at, send] = [next.href, {}];
      continue;
    }
    const html = await reply.text();
    const form = pressed(html);
    if (!form) throw new Error(`No way on from ${at} (HTTP ${reply.status}): ${html.slice(0, 300)}`);
    const target = new URL(form.action, at);
    if (form.method === 'POST') [at, send] = [target.href, { method: 'POST', body: form.fields }];
    else
      [at, send] = [
        `${target.origin}${target.pathname}?${new URLSearchParams([...target.searchParams, ...form.fields])}`,
        {},
      ];
  }
  throw new Error(`The customer never came back from ${url}.`);
}

function pressed(html: string): Form | undefined {
  for (const [, head = '', content = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)) {
    const fields = new URLSearchParams();
    for (const [, input = ''] of content.matchAll(/<input\b([^>]*)>/g)) {
      const name = attribute(input, 'name');
      if (name) fields.append(name, attribute(input, 'value') ?? '');
    }
    const buttons = [...content.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)].filter(([all]) => !REFUSES.test(all));
    const [, button = ''] = buttons[0] ?? [];
    if (content.includes('<button') && buttons.length === 0) continue;
    const name = attribute(button, 'name');
    if (name) fields.append(name, attribute(button, 'value') ?? '');
    return {
      action: attribute(head, 'action') ?? '',
      method: (attribute(head, 'method') ?? 'get').toUpperCase(),
      fields,
    };
  }
  return undefined;
}

const attribute = (text: string, name: string): string | undefined => {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1];
  return value
    ?.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"');
};
