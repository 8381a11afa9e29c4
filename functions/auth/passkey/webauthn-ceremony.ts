import { type Ceremony, invalidPasskey } from '#functions/auth/passkey/webauthn-checks.ts';
import { CHALLENGE_LENGTH } from '#shared/domain/accounts/passkey.model.ts';
import { readClientData } from '#shared/domain/accounts/passkey-client-data.rules.ts';
import { isAllowedOrigin } from '#shared/domain/reference/origin.rules.ts';
import { randomText } from '#shared/kernel/ids.ts';
import type { Deps } from '#shared/ports/deps.ts';

type Needs = Pick<Deps, 'passkeys' | 'config' | 'clock'>;

/** Issues a challenge: for a user's new passkey, or for a sign-in. */
export async function beginCeremony(
  userId: string | null,
  { passkeys, config, clock }: Needs,
): Promise<Pick<Ceremony, 'challenge' | 'domain'>> {
  const challenge = randomText(CHALLENGE_LENGTH);
  await passkeys.openChallenge({ text: challenge, user_id: userId }, clock.now());
  return { challenge, domain: config.passkeyDomain };
}

/** Uses up the challenge that this answer belongs to, whether the answer turns out valid or not. */
export async function endCeremony(
  clientDataJSON: string,
  userId: string | null,
  { passkeys, config, clock }: Needs,
): Promise<Ceremony> {
  const data = readClientData(clientDataJSON);
  if (!data || !isAllowedOrigin(data.origin, config.origins)) throw invalidPasskey();
  const { challenge, origin } = data;
  if (!(await passkeys.takeChallenge({ text: challenge, user_id: userId }, clock.now()))) throw invalidPasskey();
  return { challenge, origin, domain: config.passkeyDomain };
}
