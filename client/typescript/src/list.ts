/** One page of a list, newest first. It may hold fewer items than `limit`, or none, and still not be the last. */
export type Page<Item, Reply> = {
  readonly items: readonly Item[];
  /** The whole reply, such as `pagination` with its `total` where the list has one. */
  readonly reply: Reply;
  readonly hasMore: boolean;
  /** For `cursor`, to read on later; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** Identifies the request of this page in the API's logs. */
  readonly requestId: string | undefined;
  /** The page after this one; undefined after the last. */
  readonly next: () => Promise<Page<Item, Reply> | undefined>;
};

/**
 * A list: `await` it for its first page, or go through all of it with `for await`. Nothing is sent before that, and
 * pages are read as they are needed.
 */
export class List<Item, Reply> implements PromiseLike<Page<Item, Reply>>, AsyncIterable<Item> {
  readonly #first: () => Promise<Page<Item, Reply>>;

  constructor(first: () => Promise<Page<Item, Reply>>) {
    this.#first = first;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await list` is its first page, as with other clients.
  then<A = Page<Item, Reply>, B = never>(
    onPage?: ((page: Page<Item, Reply>) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#first().then(onPage, onError);
  }

  async *pages(): AsyncGenerator<Page<Item, Reply>, void> {
    for (let page: Page<Item, Reply> | undefined = await this.#first(); page; page = await page.next()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/**
 * The query of the page after that of `query`, from the `Link` or, where something on the way has taken that off, from
 * the reply. Of the `Link` only the query is used: no response can send the key to another address.
 */
export function nextQuery(query: string, link: string | null, reply: unknown): string | undefined {
  const linked = /<[^>]*?(\?[^>#]*)[^>]*>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
  const cursor = (reply as { readonly pagination?: { readonly next_cursor?: string | null } })?.pagination?.next_cursor;
  if (linked !== undefined || !cursor) return linked;
  const next = new URLSearchParams(query);
  next.delete('offset');
  next.set('cursor', cursor);
  return `?${next}`;
}
