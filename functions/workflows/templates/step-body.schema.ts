import * as z from 'zod';
import { faultInText } from '#shared/domain/workflows/expression.rules.ts';
import { faultInNamesOfText } from '#shared/domain/workflows/expression-names.rules.ts';
import { ExactNumber, Text } from '#shared/http/schema/common.schema.ts';

/** The store takes no deeper ones. */
const DEEPEST = 10;
const LONGEST_TEXT = 8_000;

const Name = Text(255, 1);
const Inner = Text(LONGEST_TEXT);
const Quantity = ExactNumber('Must be a number.');

/** JSON that can be stored as it was sent, and whose texts have `{{ expressions }}` that can be filled in. */
export const StepBody = z.record(z.string(), z.unknown(), 'Must be an object.').superRefine((body, context) => {
  for (const { path, message } of faultsInJson(body)) context.addIssue({ code: 'custom', path: [...path], message });
});

type Found = { readonly path: readonly string[]; readonly message: string };
type Place = { readonly path: readonly string[]; readonly value: unknown };

function* faultsInJson(body: unknown): Generator<Found> {
  const places: Place[] = [{ path: [], value: body }];
  for (let place = places.pop(); place; place = places.pop()) {
    const { path, value } = place;
    if (typeof value !== 'object' || value === null) {
      const message = faultOf(value);
      if (message !== undefined) yield { path, message };
    } else if (path.length >= DEEPEST) {
      yield { path, message: `Must have at most ${DEEPEST} objects and lists within each other.` };
    } else {
      yield* misnamed(value, path);
      places.push(...Object.entries(value).map(([name, inner]) => ({ path: [...path, name], value: inner })));
    }
  }
}

function* misnamed(value: object, path: readonly string[]): Generator<Found> {
  for (const name of Array.isArray(value) ? [] : Object.keys(value)) {
    if (!Name.safeParse(name).success)
      yield { path: [...path, name], message: 'Must have a name of 1 to 255 characters.' };
  }
}

function faultOf(value: unknown): string | undefined {
  if (typeof value === 'number') return Quantity.safeParse(value).error?.issues[0]?.message;
  if (typeof value !== 'string') return undefined;
  return Inner.safeParse(value).error?.issues[0]?.message ?? faultInText(value) ?? faultInNamesOfText(value);
}
