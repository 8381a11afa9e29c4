import type { Parameter } from '#lib/reference/api-description.ts';
import { ID_PREFIX } from '#shared/kernel/ids.ts';

/** Every placeholder has this, as `SAMPLE_KEY` has: a reader writes a value of their own in its place. */
export const PLACEHOLDER = 'YOUR_';

const ID = new RegExp(`\\b(${Object.values(ID_PREFIX).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}`, 'g');

/** For a parameter that names something of the reader's, such as `YOUR_CUSTOMER_ID`. */
export const placeholderFor = ({ name }: Parameter): string => `${PLACEHOLDER}${name.toUpperCase()}`;

/** The same request with `pay_YOUR_ID` for the id of a payment, and `rule_YOUR_ID_2` for a second rule. */
export function withPlaceholders<T>(request: T): T {
  const seen = new Map<string, string>();
  const placeholder = (id: string, prefix: string): string => {
    const count = [...seen.values()].filter((each) => each.startsWith(`${prefix}_${PLACEHOLDER}`)).length;
    const made = seen.get(id) ?? `${prefix}_${PLACEHOLDER}ID${count === 0 ? '' : `_${count + 1}`}`;
    seen.set(id, made);
    return made;
  };
  const text = JSON.stringify(request, (name, value) =>
    // A shop may choose the ids of its connections: they are known by their field only.
    name === 'connection_id' ? placeholder(value, ID_PREFIX.connection) : value,
  );
  return JSON.parse(text.replaceAll(ID, placeholder));
}
