/** One page of a list, newest first. It may hold fewer items than `limit`, or none, and still not be the last. */
export type Page<Item, Reply> = {
  readonly items: readonly Item[];
  /** The whole reply, such as `pagination` with its `total` where the list has one. */
  readonly reply: Reply;
  readonly hasMore: boolean;
  /** For `cursor`, to read on later; undefined on the last page. */
  readonly nextCursor: string | undefined;
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

/** The query of the next page. Of the `Link` only this is used: no response can send the key to another address. */
export function nextQuery(link: string | null): string | undefined {
  return /<[^>]*?(\?[^>#]*)[^>]*>\s*;\s*rel="?next"?/.exec(link ?? '')?.[1];
}
