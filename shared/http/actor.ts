import { type ApiEvent, header, stateOf } from '#shared/http/request-state.ts';

export const LONGEST_ACTOR = 200;

/** Whom the holder of a key says it acts for; a blank one is none. Whoever is signed in acts for himself. */
export function actorOf(event: ApiEvent): string | null {
  const { credential } = stateOf(event);
  if (credential?.person) return credential.person.userId;
  return header(event, 'x-actor-id')?.trim() || null;
}

/** It lies in the audit log for good, and is read by people. */
export function actorFaults(event: ApiEvent) {
  const { credential } = stateOf(event);
  const actor = credential && !credential.person ? (actorOf(event) ?? '') : '';
  const isText = [...actor].every((char) => char >= ' ' && char !== '\x7f');
  if (actor.length <= LONGEST_ACTOR && isText) return [];
  return [{ path: 'X-Actor-Id', message: `Must have at most ${LONGEST_ACTOR} characters, none of them a control character.` }];
}
