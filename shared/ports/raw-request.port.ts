import type { InboundCallback } from '#shared/ports/psp.port.ts';

/** A request from a browser or a PSP, without a credential of this API. */
export type RawRequest = InboundCallback & {
  /** With `HEAD` only the existence of a page is asked: nothing may be used up or changed. */
  readonly method: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly ip: string;
};

/** The response to a browser or a PSP. */
export type RawResponse = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Complete `Set-Cookie` values. */
  readonly cookies?: readonly string[];
  readonly body?: string;
  /** Instead of `body`, where it is no text. */
  readonly bytes?: Buffer;
};
