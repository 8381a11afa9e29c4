import type { Passkey } from '#shared/domain/accounts/passkey.model.ts';

/** Well-formed, and of no user. */
const NOBODY = 'usr_00000000000000000000000000';

/** A point on P-256 whose private key was thrown away; a signature with it would still sign in no user. */
const PUBLIC_KEY =
  'pQECAyYgASFYIEP2tqmflRx41sC77t1AbWuXLneZDUtE63oZqTWbTR2ZIlggyzTQFXNIxz-A6wI2u6qwXCKBuorKaxGJ2XHuhei0BTY';

/** Verified in place of a passkey that does not exist: otherwise the response time would tell which ones do. */
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
