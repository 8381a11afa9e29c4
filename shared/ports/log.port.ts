/**
 * Structured lines: an event's name in the past tense or a noun, and fields. Never a body, a header or a credential.
 */
export interface LogPort {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
  error(event: string, fields?: Readonly<Record<string, unknown>>): void;
}
