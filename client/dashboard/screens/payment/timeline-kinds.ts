import type { PaymentTimeline } from '#client/typescript/src/generated/schemas.ts';

export type Entry = PaymentTimeline['entries'][number];
export type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

/** Kinds whose title is the same each time. The others' titles say which attempt, event or act it was. */
export type TimelineKind = Exclude<Entry['kind'], 'attempt' | 'event' | 'action'>;
