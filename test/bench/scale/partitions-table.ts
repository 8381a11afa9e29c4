import type { Ceiling } from '#test/bench/scale/ceilings.ts';

const number = (n: number): string => {
  if (!Number.isFinite(n)) return '–';
  return n >= 100 ? Math.round(n).toLocaleString('en') : String(Math.round(n * 100) / 100);
};

/** A table of Markdown: what limits a tenant, or a stage. */
export function ceilingsTable(ceilings: readonly Ceiling[], rate: number): string {
  return [
    `| partitions | shared by | write, read units a payment | of the hottest at ${number(rate)} a second: WCU, RCU | payments a second at most |`,
    '|---|---|---|---|---|',
    ...ceilings.map(
      ({ name, owner, wru, rru, wcu, rcu, paymentsPerSecond }) =>
        `| ${name} | ${owner} | ${number(wru)}, ${number(rru)} | ${number(wcu)}, ${number(rcu)} | ${number(paymentsPerSecond)} |`,
    ),
  ].join('\n');
}
