import type { Scope } from '#client/dashboard/shell/session.tsx';
import { wordsOf } from '#client/dashboard/ui/badge.tsx';
import type { ListedApiKey } from '#client/typescript/src/index.ts';

/** Scopes by what they are about, as a person chooses them. */
export function scopeRows(
  scopes: readonly Scope[],
): readonly { readonly name: string; readonly scopes: readonly Scope[] }[] {
  const rows = Map.groupBy(scopes, (scope) => scope.slice(0, scope.indexOf(':')));
  return [...rows].map(([name, own]) => ({ name: wordsOf(name).replace('Api', 'API'), scopes: own }));
}

export const isRead = (scope: Scope): boolean => scope.endsWith(':read');

const MAX_NAMED = 3;

/** Short, for a line of a list. */
export function scopesInWords(kind: ListedApiKey['kind'], scopes: readonly Scope[]): string {
  if (kind === 'public') return 'Public endpoints only';
  if (scopes.length === 0) return 'None';
  if (scopes.length <= MAX_NAMED) return scopes.join(', ');
  return scopes.every(isRead) ? `Read only (${scopes.length})` : `${scopes.length} scopes`;
}
