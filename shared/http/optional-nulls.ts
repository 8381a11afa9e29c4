import * as z from 'zod';
import { $ZodArray, $ZodLazy, $ZodObject, $ZodPipe, $ZodRecord, $ZodTransform, $ZodUnion } from 'zod/v4/core';
import { isObject } from '#shared/kernel/json.ts';

type Shape = z.core.$ZodType;

/**
 * A copy without the nulls of optional fields: responses show fields without a value as null, and clients send them
 * back so. A field whose shape accepts null keeps it, as null then means something, and a required one is still missing.
 */
export function withoutOptionalNulls(shape: Shape, value: unknown): unknown {
  const inner = innerShape(shape);
  if (inner instanceof $ZodObject) return isObject(value) ? withoutNullFields(inner._zod.def.shape, value) : value;
  if (inner instanceof $ZodRecord && isObject(value)) {
    const { valueType } = inner._zod.def;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, withoutOptionalNulls(valueType, each)]),
    );
  }
  if (inner instanceof $ZodArray && Array.isArray(value)) {
    const { element } = inner._zod.def;
    return value.map((each) => withoutOptionalNulls(element, each));
  }
  return inner instanceof $ZodUnion ? asFirstOption(inner._zod.def.options, value) : value;
}

function withoutNullFields(fields: Readonly<Record<string, Shape>>, value: Readonly<Record<string, unknown>>): unknown {
  const entries = Object.entries(value).flatMap(([name, each]): readonly (readonly [string, unknown])[] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!field) return [[name, each]];
    if (each !== null) return [[name, withoutOptionalNulls(field, each)]];
    return isOptional(field) ? [] : [[name, null]];
  });
  return Object.fromEntries(entries);
}

const isOptional = (field: Shape): boolean =>
  !z.safeParse(field, null).success && z.safeParse(field, undefined).success;

/** As the first option of a union that then accepts it. */
function asFirstOption(options: readonly Shape[], value: unknown): unknown {
  for (const option of options) {
    const candidate = withoutOptionalNulls(option, value);
    if (z.safeParse(option, candidate).success) return candidate;
  }
  return value;
}

/** The shape within defaults, optionality and transformations. */
function innerShape(shape: Shape): Shape {
  if (shape instanceof $ZodPipe) {
    const { in: first, out: second } = shape._zod.def;
    return innerShape(first instanceof $ZodTransform ? second : first);
  }
  if (shape instanceof $ZodLazy) return innerShape(shape._zod.def.getter());
  const { innerType } = shape._zod.def as { readonly innerType?: Shape };
  return innerType ? innerShape(innerType) : shape;
}
