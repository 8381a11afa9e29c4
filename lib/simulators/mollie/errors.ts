import { jsonAs } from '#lib/simulators/frame/json.ts';
import { Refusal } from '#lib/simulators/frame/refusal.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

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

export const hal = jsonAs('application/hal+json');

export function errorAnswer(status: number, detail: string, field?: string, turnedAway = true): WireAnswer {
  const documentation = { href: 'https://docs.mollie.com/overview/handling-errors', type: 'text/html' };
  return hal(
    status,
    { status, title: TITLES[status] ?? 'Error', detail, ...(field && { field }), _links: { documentation } },
    turnedAway,
  );
}

/** `turnedAway`: Mollie had not begun to carry the request out. */
export const refused = (...fault: Parameters<typeof errorAnswer>): Refusal => new Refusal(errorAnswer(...fault));

/** A parameter is wrong: nothing was begun. */
export const invalid = (detail: string, field?: string): Refusal => refused(422, detail, field);

/** Begun, and found impossible in the state that the payment is in. */
export const impossible = (detail: string, field?: string): Refusal => refused(422, detail, field, false);

/** Also for what belongs to another account: the two read the same. */
export const unknownToken = (token: string): Refusal => refused(404, `No entity exists with token '${token}'`);
