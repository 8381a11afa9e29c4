import { type ApiPromise, apiPromise, type WithResponse } from './api-promise.ts';
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

  get<T>(path: string, input?: object, options: RequestOptions = {}): ApiPromise<T> {
    return this.#send<T>({ method: 'GET', path: path + queryText(input), repeatable: true, options });
  }

  /** A GET that uses something up, such as a link that works once. */
  getOnce<T>(path: string, input?: object, options: RequestOptions = {}): ApiPromise<T> {
    return this.#send<T>({ method: 'GET', path: path + queryText(input), repeatable: false, options });
  }

  list<Item, Reply>(path: string, field: string | null, input?: object, options: RequestOptions = {}) {
    const pageAt = async (query: string): Promise<Page<Item, Reply>> => {
      const request = { method: 'GET', path: path + query, repeatable: true, options } as const;
      const { data, headers, requestId } = await send(request, this.#settings);
      const next = nextQuery(query, headers.get('link'), data);
      return {
        items: field === null ? data : (data as Record<string, unknown>)[field],
        reply: data,
        hasMore: next !== undefined,
        nextCursor: new URLSearchParams(next).get('cursor') ?? undefined,
        requestId,
        next: async () => (next === undefined ? undefined : pageAt(next)),
      } as Page<Item, Reply>;
    };
    return new List(() => pageAt(queryText(input)));
  }

  /** A change that honours an idempotency key: all tries have the same one. */
  change<T>(method: Change, path: string, input?: object, options: RequestOptions = {}): ApiPromise<T> {
    const { idempotencyKey = newKey() } = options;
    return this.#send<T>({ ...placed(method, path, input), idempotencyKey, repeatable: true, options });
  }

  /** A change that ignores keys: it is never sent again. */
  changeOnce<T>(method: Change, path: string, input?: object, options: RequestOptions = {}): ApiPromise<T> {
    return this.#send<T>({ ...placed(method, path, input), repeatable: false, options });
  }

  #send<T>(request: ApiRequest): ApiPromise<T> {
    return apiPromise(send(request, this.#settings) as Promise<WithResponse<T>>);
  }
}

/** A DELETE takes its input in the query, the others in the body. */
const placed = (method: Change, path: string, input: object | undefined) =>
  method === 'DELETE' ? { method, path: path + queryText(input) } : { method, path, body: input };

/** 128 random bits. `crypto.randomUUID` is missing in pages that were not loaded over https. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
