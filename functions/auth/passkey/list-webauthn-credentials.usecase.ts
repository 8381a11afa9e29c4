import { type Caller, personOf } from '#shared/ports/caller.ts';
import type { Deps } from '#shared/ports/deps.ts';

export const listWebauthnCredentials = async (
  _input: unknown,
  caller: Caller,
  { passkeys }: Pick<Deps, 'passkeys'>,
) => ({
  credentials: await passkeys.listOf(personOf(caller).userId),
});
