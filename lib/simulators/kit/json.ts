import type { Input } from '#lib/simulators/kit/provider-simulator.port.ts';
import type { WireResponse } from '#lib/simulators/kit/wire.ts';

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses a JSON object; undefined if the text is not one. */
export function parseObject(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Builds JSON responses with this media type, as each PSP writes it differently. */
export const jsonResponder =
  (type: string) =>
  (status: number, value: unknown, rejected = false): WireResponse => ({
    status,
    headers: { 'content-type': type },
    body: JSON.stringify(value),
    ...(rejected && { rejected }),
  });

/** The value at this path; undefined if there is none. */
export const valueAt = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Object(inner)[name] : undefined),
    value,
  );

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : null;
}
