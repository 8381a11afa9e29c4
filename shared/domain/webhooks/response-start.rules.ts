/** How much of a response is kept: enough for an error message, and less than another kilobyte of the event. */
export const MAX_RESPONSE_CHARACTERS = 500;

/** What an endpoint may have echoed, or should not have sent. Its server, its secrets: they are not shown all the same. */
const REMOVED: readonly (readonly [RegExp, string])[] = [
  [/\bwhsec_\S+/g, '[secret]'],
  [/\b(?:sk|pk|rk|key|pfk)_(?:live|test|sandbox)_\S+/gi, '[secret]'],
  [/\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi, '[credential]'],
  [/\bsha256=[0-9a-f]{16,}/gi, '[signature]'],
  [/\bv1,[\w+/=]{20,}/g, '[signature]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\d(?:[ -]?\d){11,18}/g, '[number]'],
];

/** The start of a response as text, without what must not be shown. Undefined if there is none that can be read. */
export function responseStart(bytes: Uint8Array, encoding?: string): string | undefined {
  if (bytes.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  const text = new TextDecoder().decode(bytes);
  const shown = REMOVED.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text)
    .replace(/[\p{Cc}\p{Cf}\uFFFD\s]+/gu, ' ')
    .trim();
  // By characters, so that none is cut in half.
  return shown === '' ? undefined : [...shown].slice(0, MAX_RESPONSE_CHARACTERS).join('');
}
