import * as z from 'zod';
import { Timestamp } from '#shared/http/schema/common.schema.ts';

const DAY = 'Must be a day, such as 2026-01-31, or a date-time of ISO 8601.';

/** A date-time is reduced to its day. */
export const Day = z
  .union([z.iso.date({ error: DAY, abort: true }), Timestamp], DAY)
  .transform((text) => (text < '1970' ? '1970-01-01' : text.slice(0, 10)))
  .meta({ example: '2026-01-31' });
