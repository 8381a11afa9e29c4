import { Payfork } from '#client/typescript/src/index.ts';

/** The API at this page's own origin, with the browser's session and in no organization. Screens use the session's. */
export const baseApi = new Payfork({ baseUrl: location.origin, session: true });
