import type { Input } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a JSON text is; undefined where it is none. */
export function parseObject(text: string): Input | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Answers of a PSP that writes its media type like this. */
export const jsonAs =
  (type: string) =>
  (status: number, value: unknown, turnedAway = false): WireAnswer => ({
    status,
    headers: { 'content-type': type },
    body: JSON.stringify(value),
    ...(turnedAway && { turnedAway }),
  });

/** What lies under these names; undefined where there is nothing. */
export const valueAt = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Object(inner)[name] : undefined),
    value,
  );

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : null;
}
