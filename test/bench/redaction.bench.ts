import { redactText } from '#shared/kernel/redact.ts';

/**
 * How the time to redact a text grows with its length. Each text is made of the part that its pattern likes least. A
 * linear pattern needs about twice the time for twice the text; a quadratic one needs four times.
 */
const PARTS: Readonly<Record<string, string>> = {
  'starts of web tokens': '-eyJ',
  'starts of private keys': '-----BEGIN ',
  'authorizations of blanks': 'Bearer  ',
  'starts of passwords in URLs': '//a:',
  'words of secrets in a query': '?key',
  'starts of live keys': '-live_a',
  'groups of digits': '4 ',
  'groups of a card': '4111 ',
};
const LENGTHS = [250_000, 500_000, 1_000_000] as const;
const RUNS = 5;

function fastest(text: string): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    redactText(text);
    return performance.now() - start;
  });
  return Math.min(...times);
}

for (const [name, part] of Object.entries(PARTS)) {
  const times = LENGTHS.map((length) => fastest(part.repeat(length / part.length)));
  const growth = ((times.at(-1) ?? 0) / (times.at(-2) ?? 1)).toFixed(1);
  console.log(`${name.padEnd(30)} ${times.map((ms) => `${ms.toFixed(1)} ms`).join(', ')}: ${growth} times for twice`);
}
