/** A record without some of its fields, such as the internal ones that no response shows. */
export function withoutFields<T extends object, K extends keyof T>(record: T, fields: readonly K[]): Omit<T, K> {
  const hidden = new Set<PropertyKey>(fields);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !hidden.has(name))) as Omit<T, K>;
}
