import { wordsOf } from '#client/dashboard/ui/badge.tsx';

type Change = { readonly from: unknown; readonly to: unknown };
type ChangesProps = { readonly changes: Readonly<Record<string, Change>> };

/** What an audit entry says of each field: before and after. A value that was only confirmed stands once. */
export function Changes({ changes }: ChangesProps) {
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  return (
    <ul class="changes">
      {fields.map(([field, { from, to }]) => (
        <li key={field}>
          <span class="muted">{nameOf(field)}:</span> {isNews(from, to) && <del>{textOf(from)}</del>}{' '}
          <ins>{textOf(to)}</ins>
        </li>
      ))}
    </ul>
  );
}

const isNews = (from: unknown, to: unknown): boolean =>
  from !== null && from !== undefined && textOf(from) !== textOf(to);

const nameOf = (field: string): string => (field === 'kyc' ? 'Identity' : wordsOf(field.replaceAll('.', ' ')));

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
