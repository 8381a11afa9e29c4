import type { CostLine } from '#test/bench/cost/model.ts';
import { totalOf } from '#test/bench/cost/model.ts';

/** A table of Markdown: the sums of a million payments. */
export function costTable(lines: readonly CostLine[]): string {
  const money = (n: number) => n.toFixed(2);
  const total = totalOf(lines);
  return [
    '| a million payments | counted for one | USD on demand | USD committed |',
    '|---|---|---|---|',
    ...lines.map(({ of, counted, usd, committed }) => `| ${of} | ${counted} | ${money(usd)} | ${money(committed)} |`),
    `| **together** | | **${money(total.usd)}** | **${money(total.committed)}** |`,
  ].join('\n');
}
