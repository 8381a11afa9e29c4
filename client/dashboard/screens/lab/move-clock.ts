import { baseApi } from '#client/dashboard/api/base-api.ts';
import { control } from '#client/dashboard/screens/lab/control.ts';
import { isPayforkError } from '#client/typescript/src/index.ts';

export type ClockMove = { readonly advance: string } | { readonly set: string };

type Mail = { readonly text: string };

/**
 * Moves the service's clock, and returns whether the session went on. Sessions end by that clock, so whoever moves it by
 * a month is signed out. They are signed in again as they were before: by a mailed link, out of the mailbox of this
 * machine. With a second factor they have to do that themselves.
 */
export async function moveClock(move: ClockMove, email: string): Promise<'same' | 'renewed'> {
  await control('POST', '/clock', { body: move });
  if (await isSignedIn()) return 'same';
  await baseApi.auth.sendMagicLink({ email });
  const mails = await control<readonly Mail[]>('GET', `/mailbox?to=${encodeURIComponent(email)}`);
  const token = /\/sign-in\?token=([A-Za-z0-9]+)/.exec(mails.at(-1)?.text ?? '')?.[1];
  // Without it, the page that is loaded next asks to sign in.
  if (token !== undefined) await baseApi.auth.verifyMagicLink({ token }).catch(() => undefined);
  return 'renewed';
}

async function isSignedIn(): Promise<boolean> {
  try {
    await baseApi.auth.getSession();
    return true;
  } catch (error) {
    if (isPayforkError(error) && error.status === 401) return false;
    throw error;
  }
}
