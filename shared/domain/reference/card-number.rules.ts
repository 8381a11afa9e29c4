import { cardNumbersIn, isIssued } from '#shared/kernel/card-number.ts';

/**
 * Whether a card number is anywhere in a JSON body: in text, numbers or property names. We never accept one, as a
 * single stored number makes the whole service subject to PCI DSS. A loop and not a recursion, as a body may nest
 * deeper than the stack.
 */
export function containsCardNumber(value: unknown): boolean {
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string' ? cardNumbersIn(next).length > 0 : typeof next === 'number' && isCardNumber(next))
      return true;
    if (Array.isArray(next)) for (const inner of next) rest.push(inner);
    else if (typeof next === 'object' && next !== null)
      for (const [name, inner] of Object.entries(next)) rest.push(name, inner);
  }
  return false;
}

/** Beyond 2^53 a number lost its last digits when it was parsed, so only its beginning is checked. */
function isCardNumber(value: number): boolean {
  const size = Math.abs(value);
  if (size < 1e12 || !Number.isInteger(size)) return false;
  return Number.isSafeInteger(size) ? cardNumbersIn(String(size)).length > 0 : isIssued(String(size));
}
