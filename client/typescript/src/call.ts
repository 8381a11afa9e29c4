import { List, nextQuery, type Page } from './list.ts';
import type { RequestOptions } from './options.ts';
import { queryText } from './path.ts';
import { type ApiRequest, type Settings, send } from './send.ts';

type Change = Exclude<ApiRequest['method'], 'GET'>;

/** What the generated methods are made of: one way to send for each kind of endpoint. */
export class Call {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get<T>(path: string, input?: object, options: RequestOptions = {}): Promise<T> {
    return this.#send<T>({ method: 'GET', path: path + queryText(input), repeatable: true, options });
  }

  /** A GET that uses something up, such as a link that works once. */
  getOnce<T>(path: string, input?: object, options: RequestOptions = {}): Promise<T> {
    return this.#send<T>({ method: 'GET', path: path + queryText(input), repeatable: false, options });
  }

  list<Item, Reply>(path: string, field: string | null, input?: object, options: RequestOptions = {}) {
    const pageAt = async (query: string): Promise<Page<Item, Reply>> => {
      const request = { method: 'GET', path: path + query, repeatable: true, options } as const;
      const { headers, body } = await send(request, this.#settings);
      const next = nextQuery(headers.get('link'));
      return {
        items: field === null ? body : (body as Record<string, unknown>)[field],
        reply: body,
        hasMore: next !== undefined,
        nextCursor: new URLSearchParams(next).get('cursor') ?? undefined,
        next: async () => (next === undefined ? undefined : pageAt(next)),
      } as Page<Item, Reply>;
    };
    return new List(() => pageAt(queryText(input)));
  }

  /** A change that honours an idempotency key: all tries have the same one. */
  change<T>(method: Change, path: string, input?: object, options: RequestOptions = {}): Promise<T> {
    const { idempotencyKey = newKey() } = options;
    return this.#send<T>({ ...placed(method, path, input), idempotencyKey, repeatable: true, options });
  }

  /** A change that ignores keys: it is never sent again. */
  changeOnce<T>(method: Change, path: string, input?: object, options: RequestOptions = {}): Promise<T> {
    return this.#send<T>({ ...placed(method, path, input), repeatable: false, options });
  }

  async #send<T>(request: ApiRequest): Promise<T> {
    return (await send(request, this.#settings)).body as T;
  }
}

/** A DELETE takes its input in the query, the others in the body. */
const placed = (method: Change, path: string, input: object | undefined) =>
  method === 'DELETE' ? { method, path: path + queryText(input) } : { method, path, body: input };

/** 128 random bits. `crypto.randomUUID` is missing in pages that were not loaded over https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
