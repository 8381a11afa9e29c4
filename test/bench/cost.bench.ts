import { writeFile } from 'node:fs/promises';
import { keepUsage, readFigures } from '#test/bench/cost/figures.ts';
import { costLines } from '#test/bench/cost/model.ts';
import { costPage, PLATFORM_LOG_BYTES } from '#test/bench/cost/page.ts';
import { costTable } from '#test/bench/cost/table-text.ts';
import { countUsage } from '#test/bench/cost/usage.ts';

/**
 * Counts what a payment uses, prints what a million of them cost on AWS, and makes docs/cost.md. `-- --print` writes
 * nothing. The table of units on that page is of `npm run bench:units -- --write`.
 */
const usage = await countUsage();
console.log(costTable(costLines({ ...usage, platformLogBytes: PLATFORM_LOG_BYTES })));
if (!process.argv.includes('--print')) {
  await keepUsage(usage);
  await writeFile('docs/cost.md', costPage(await readFigures()));
}
process.exit(0);
