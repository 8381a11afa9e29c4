/** The data of a response, and what the response says beside it. */
export type WithResponse<T> = {
  readonly data: T;
  /** The HTTP status, such as 201 for what was created, or 202 for what is still to be done. */
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in the API's logs: quote it to support. */
  readonly requestId: string | undefined;
  /** Whether this repeats the response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
};

/** What a method returns: `await` it for the data, or `withResponse()` for the response around it. */
export type ApiPromise<T> = Promise<T> & { readonly withResponse: () => Promise<WithResponse<T>> };

export function apiPromise<T>(response: Promise<WithResponse<T>>): ApiPromise<T> {
  const data = response.then((each) => each.data);
  const withResponse = () => {
    // Who asks for the response waits for that alone: nobody would handle the rejection of the data.
    data.catch(() => undefined);
    return response;
  };
  return Object.assign(data, { withResponse });
}
