import type { ConnectionAudit } from '#client/typescript/src/index.ts';

type Changes = ConnectionAudit['metadata']['changes'];
type Field = readonly [name: string, change: { readonly from: unknown; readonly to: unknown }];

/** What a new connection has before anybody has chosen or found out anything. */
const NOTHING: ReadonlySet<unknown> = new Set([undefined, null, 'never', 'unknown', '[]', '{}']);
const isNothing = (value: unknown): boolean =>
  NOTHING.has(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What an entry is read for: of a record such as the capabilities, the fields that changed; of a new connection, what
 * somebody has chosen. Whole records would be lines of JSON.
 */
export function readableChanges({ action, metadata }: Pick<ConnectionAudit, 'action' | 'metadata'>): Changes {
  const fields = Object.entries(metadata.changes);
  if (action === 'created') return Object.fromEntries(fields.filter(([, { to }]) => !isRecord(to) && !isNothing(to)));
  return Object.fromEntries(fields.flatMap(changedParts));
}

function changedParts([field, { from, to }]: Field): readonly Field[] {
  if (!isRecord(from) || !isRecord(to)) return [[field, { from, to }]];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])]
    .filter((name) => JSON.stringify(from[name]) !== JSON.stringify(to[name]))
    .map((name) => [`${field}.${name}`, { from: from[name], to: to[name] }]);
}
