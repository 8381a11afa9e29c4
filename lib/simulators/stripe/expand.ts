import type { Work } from '#lib/simulators/frame/provider.port.ts';
import { invalid } from '#lib/simulators/stripe/errors.ts';

/**
 * What may be shown whole instead of by its id, and what that then is. `list:` holds several of a kind under `data`.
 */
const EXPANDABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  payment_intent: { latest_charge: 'charge' },
  charge: { payment_intent: 'payment_intent' },
  refund: { charge: 'charge', payment_intent: 'payment_intent' },
  'checkout.session': { payment_intent: 'payment_intent' },
  'list:payment_intent': { data: 'payment_intent' },
  'list:refund': { data: 'refund' },
};

/** Refuses a path that leads nowhere, before anything is done. */
export function checkExpand(shown: string, paths: readonly string[]): void {
  for (const path of paths) {
    path.split('.').reduce((kind, name) => {
      const next = EXPANDABLE[kind]?.[name];
      if (next === undefined) throw invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
      return next;
    }, shown);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `latest_charge`, `payment_intent.latest_charge`, `data.latest_charge` … */
export function expand(value: object, paths: readonly string[], work: Work): unknown {
  return paths.reduce<unknown>((shown, path) => expandPath(shown, path.split('.'), work), value);
}

function expandPath(value: unknown, [head, ...rest]: readonly string[], work: Work): unknown {
  if (head === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => expandPath(item, [head, ...rest], work));
  if (!isObject(value)) return value;
  const inner = value[head];
  const found = typeof inner === 'string' ? (work.objects.get(inner)?.body ?? inner) : inner;
  return { ...value, [head]: expandPath(found, rest, work) };
}
