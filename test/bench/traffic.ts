import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { PROVIDERS } from '#shared/psp/providers.ts';

type Requests = { readonly requests: number; readonly bytes: number };

/** Requests that servers of this process got: from providers, and from the service to receivers and to providers. */
export type Traffic = { readonly callbacks: Requests; readonly deliveries: Requests; readonly pspCalls: Requests };

const CHANNEL = 'http.server.request.start';

const KINDS: Readonly<Record<keyof Traffic, RegExp>> = {
  callbacks: /^\/webhooks\//,
  deliveries: /^\/receiver\//,
  pspCalls: new RegExp(`^/(${PROVIDERS.join('|')})/`),
};

/** Counts them until `end`. */
export function watchTraffic(): { readonly end: () => Traffic } {
  const seen: IncomingMessage[] = [];
  const note = (message: unknown) => void seen.push((message as { readonly request: IncomingMessage }).request);
  subscribe(CHANNEL, note);
  return {
    end: () => {
      unsubscribe(CHANNEL, note);
      const of = (path: RegExp): Requests => {
        const found = seen.filter(({ url = '' }) => path.test(url));
        return { requests: found.length, bytes: found.reduce((sum, request) => sum + bytesOf(request), 0) };
      };
      return { callbacks: of(KINDS.callbacks), deliveries: of(KINDS.deliveries), pspCalls: of(KINDS.pspCalls) };
    },
  };
}

/** Its headers and its body. */
const bytesOf = ({ rawHeaders, headers }: IncomingMessage): number =>
  rawHeaders.reduce((sum, text) => sum + text.length + 2, 0) + Number(headers['content-length'] ?? 0);
