export type FormValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FormValue[]
  | { readonly [name: string]: FormValue };

/**
 * `application/x-www-form-urlencoded` with brackets for what is nested: `a[b][0]=c`. Nothing is sent for null and
 * undefined.
 */
export function form(values: { readonly [name: string]: FormValue }): string {
  return Object.entries(values)
    .flatMap(([name, value]) => pairs(encodeURIComponent(name), value))
    .join('&');
}

function pairs(name: string, value: FormValue): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [`${name}=${encodeURIComponent(value)}`];
  return Object.entries(value).flatMap(([key, inner]) => pairs(`${name}[${encodeURIComponent(key)}]`, inner));
}
