import { isUtf8 } from 'node:buffer';
import { type ApiEvent, header, stateOf } from '#shared/http/request-state.ts';

export const LONGEST_ACTOR = 200;

/** The person a key's holder says it acts for; blank means none. A signed-in user acts as themselves. */
export function actorOf(event: ApiEvent): string | null {
  const { credential } = stateOf(event);
  if (credential?.person) return credential.person.userId;
  return decoded(header(event, 'x-actor-id') ?? '').trim() || null;
}

/** Headers are read as bytes, each a character; a name in UTF-8 is what it was before. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const isBytes = bytes.toString('latin1') === text;
  return isBytes && isUtf8(bytes) ? bytes.toString('utf8') : text;
}

/** It is kept in the audit log for good, and read by people. */
export function actorFaults(event: ApiEvent) {
  const { credential } = stateOf(event);
  const actor = credential && !credential.person ? (actorOf(event) ?? '') : '';
  if (actor.length <= LONGEST_ACTOR && !/\p{Cc}/u.test(actor)) return [];
  return [
    { path: 'X-Actor-Id', message: `Must have at most ${LONGEST_ACTOR} characters, none of them a control character.` },
  ];
}
