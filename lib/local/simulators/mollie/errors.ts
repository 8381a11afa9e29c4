import type { WireAnswer } from '#lib/local/simulators/frame/wire.ts';

/** An answer that is not 2xx. `turnedAway`: Mollie had not begun to carry the request out. */
export class MollieRefusal extends Error {
  override readonly name = 'MollieRefusal';
  readonly status: number;
  readonly field: string | undefined;
  readonly turnedAway: boolean;
  constructor(status: number, detail: string, field?: string, turnedAway = true) {
    super(detail);
    this.status = status;
    this.field = field;
    this.turnedAway = turnedAway;
  }
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized Request',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
};

export function hal(status: number, value: unknown, turnedAway = false): WireAnswer {
  return { status, headers: { 'content-type': 'application/hal+json' }, body: JSON.stringify(value), ...(turnedAway && { turnedAway }) };
}

export function errorAnswer(status: number, detail: string, field?: string, turnedAway = true): WireAnswer {
  const documentation = { href: 'https://docs.mollie.com/overview/handling-errors', type: 'text/html' };
  return hal(status, { status, title: TITLES[status] ?? 'Error', detail, ...(field && { field }), _links: { documentation } }, turnedAway);
}

/** A parameter is wrong: nothing was begun. */
export const invalid = (detail: string, field?: string): MollieRefusal => new MollieRefusal(422, detail, field);

/** Begun, and found impossible in the state that the payment is in. */
export const impossible = (detail: string, field?: string): MollieRefusal => new MollieRefusal(422, detail, field, false);

/** Also for what belongs to another account: the two read the same. */
export const unknownToken = (token: string): MollieRefusal => new MollieRefusal(404, `No entity exists with token '${token}'`);
