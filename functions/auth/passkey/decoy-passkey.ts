import type { Passkey } from '#shared/domain/passkey.model.ts';

/** Well-formed, and nobody's. */
const NOBODY = 'usr_00000000000000000000000000';

/** A point of P-256. Nobody kept its private half; and whoever signed with it would still be nobody. */
const PUBLIC_KEY = 'pQECAyYgASFYIEP2tqmflRx41sC77t1AbWuXLneZDUtE63oZqTWbTR2ZIlggyzTQFXNIxz-A6wI2u6qwXCKBuorKaxGJ2XHuhei0BTY';

/** Looked at in place of a passkey that there is not: else the time an answer takes would tell which ones there are. */
export const decoyPasskey = (id: string): Passkey => ({
  id,
  user_id: NOBODY,
  name: null,
  public_key: PUBLIC_KEY,
  counter: 0,
  transports: [],
  created_at: '1970-01-01T00:00:00.000Z',
  last_used_at: null,
});
