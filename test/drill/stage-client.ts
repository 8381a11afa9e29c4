import { randomUUID } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Report } from '#test/drill/report.ts';

// biome-ignore lint/suspicious/noExplicitAny: journeys read answers of every shape, and a missing field fails the step.
export type Json = any;

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Json;
};

type Wanted = number | readonly number[];
type Options = {
  readonly as?: 'key' | 'person' | 'nobody';
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
};

/** A stage as its callers see it. Requests go to the emulator under the API's own name. */
export class StageClient {
  readonly api: URL;
  readonly key: string;
  /** The session of the owner, once signed in. */
  cookie = '';
  readonly #port: number;
  readonly #report: Report;

  constructor(apiUrl: string, port: number, key: string, report: Report) {
    this.api = new URL(apiUrl);
    this.key = key;
    this.#port = port;
    this.#report = report;
  }

  get org(): string {
    return `org_${/^sk_[a-z]+_([0-9a-z]{26})/.exec(this.key)?.[1]}`;
  }

  /** A request that must be answered so. It is a step of the report. */
  async call(wanted: Wanted, method: string, path: string, body?: unknown, options: Options = {}): Promise<Answer> {
    const answer = await this.#report.step(
      `${method} ${path.replace(/\?.*|(?<=_[0-9a-z]{4})[0-9a-z]{12,}/g, '…')}`,
      async () => {
        const got = await this.send(method, path, body, options);
        if (![wanted].flat().includes(got.status))
          throw new Error(`${got.status} in place of ${wanted}: ${got.text.slice(0, 300)}`);
        return got;
      },
    );
    return answer ?? { status: 0, headers: {}, text: '', json: {} };
  }

  send(
    method: string,
    path: string,
    body?: unknown,
    { as = 'key', headers = {}, type }: Options = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const credentials = {
      key: { authorization: `Bearer ${this.key}` },
      person: { cookie: this.cookie, origin: this.api.origin, 'x-org-id': this.org },
      nobody: {},
    }[as];
    const sent = {
      host: this.api.host,
      'idempotency-key': randomUUID(),
      ...credentials,
      ...(text !== undefined && {
        'content-type': type ?? 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
      ...headers,
    };
    return new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port: this.#port, method, path, headers: sent });
      outgoing.on('error', reject).on('response', async (reply) => {
        const raw = await readText(reply);
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text: raw, json: parsed(raw) });
      });
      outgoing.end(text);
    });
  }

  /** Something that must come about by itself within so many seconds. */
  until<T>(
    what: string,
    seconds: number,
    look: () => Promise<T | undefined | false> | T | undefined | false,
  ): Promise<T | undefined> {
    return this.#report.step(what, async () => {
      for (const end = Date.now() + seconds * 1_000; Date.now() < end; await sleep(300)) {
        const found = await look();
        if (found) return found;
      }
      throw new Error(`It did not come about in ${seconds} s.`);
    });
  }
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** The list in an answer, whatever it is called. */
export const listOf = ({ json }: Answer): Json[] => Object.values(json ?? {}).find(Array.isArray) ?? [];

/** The cookies that an answer sets, as a browser sends them back. */
export const cookiesOf = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
