import type { Work } from '#lib/local/simulators/frame/provider.port.ts';
import { invalid } from '#lib/local/simulators/stripe/errors.ts';

/** What may be shown whole instead of by its id. */
const EXPANDABLE: Readonly<Record<string, readonly string[]>> = {
  payment_intent: ['latest_charge'],
  charge: ['payment_intent'],
  refund: ['charge', 'payment_intent'],
  'checkout.session': ['payment_intent'],
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `latest_charge`, `payment_intent.latest_charge`, `data.latest_charge` … */
export function expand(value: object, paths: readonly string[], work: Work): unknown {
  return paths.reduce<unknown>((shown, path) => expandPath(shown, path.split('.'), path, work), value);
}

function expandPath(value: unknown, [head, ...rest]: readonly string[], whole: string, work: Work): unknown {
  if (head === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => expandPath(item, [head, ...rest], whole, work));
  if (!isObject(value)) return value;
  if (head === 'data' && Array.isArray(value.data)) return { ...value, data: expandPath(value.data, rest, whole, work) };
  if (!EXPANDABLE[String(value.object)]?.includes(head)) throw invalid(`This property cannot be expanded (${whole}).`, { param: 'expand' });
  const inner = value[head];
  const found = typeof inner === 'string' ? (work.objects.get(inner)?.body ?? inner) : inner;
  return { ...value, [head]: expandPath(found, rest, whole, work) };
}
