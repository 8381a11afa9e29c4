import type { Figures } from '#test/bench/cost/figures.ts';
import { ASSUMED, costLines, totalOf } from '#test/bench/cost/model.ts';
import { COMMITTED, PRICES, type Price, USED_SHARE, usd } from '#test/bench/cost/prices.ts';
import { costTable } from '#test/bench/cost/table-text.ts';

/**
 * What Lambda itself logs about an invocation that went well. Nothing at the level WARN; at INFO it would be two lines
 * of about 350 bytes each.
 */
export const PLATFORM_LOG_BYTES = 0;

/** The text of docs/cost.md. */
export function costPage({ usage, units }: Figures): string {
  const payment = { ...usage, platformLogBytes: PLATFORM_LOG_BYTES };
  const lines = costLines(payment);
  const alone = totalOf(costLines(payment, 1)).usd - totalOf(lines).usd;
  const { usd: total, committed } = totalOf(lines);
  return `# What a payment costs on AWS

A million payments cost about **${Math.round(total)} USD**, and about ${Math.round(committed)} with capacity committed for a year. A stage without
payments costs what its keys and alarms cost ([aws.md](aws.md#cost-at-rest)).

This page is made by \`npm run bench:cost\`, and a test compares it with the code. Units, calls, callbacks, messages and
bytes are counted: operations run on the local host, and each call of the table is priced by DynamoDB's own rules.
Processor time is measured there. Nothing here comes from a bill. Assumed are:

- A provider takes ${ASSUMED.pspMs} ms, the table ${ASSUMED.tableMs} ms, the bus ${ASSUMED.busMs} ms, and the slowest of the endpoints that share an
  invocation ${ASSUMED.receiverMs} ms.
- The stage is so busy that ${ASSUMED.batch} messages of a queue, or changes of the stream, share an invocation. The projector collects
  a second of changes, and Lambda looks for changes four times a second: so it has ${ASSUMED.projected} at once. So busy is a stage with
  ${payments(ASSUMED.projected)} payments a second on the ${ASSUMED.shards} shards that are counted. ${inTens(usage, units)}
  With a payment now and then, each message has its own: about ${Math.round(alone)} USD a million more.
- Reads are those of one run. They vary by 0.3, as events that follow one another share a look at their organization's
  workflows.

## A million payments

Each payment is created and succeeds, two events are delivered, and the provider calls back.

${costTable(lines)}

Committed: the table has provisioned capacity, of which ${Math.round(USED_SHARE * 100)} % is used on average, reserved for a year (${Math.round(COMMITTED.table * 100)} % less), and
Lambda's time is in a savings plan (${Math.round(COMMITTED.lambda * 100)} % less). Most of what is left is the time in which the function waits for
the provider, and what each event costs. Each KB of a payment beyond 2 KB costs 3 more write units, ${usd('wru', 3_000_000).toFixed(2)} USD a million, so
large metadata is expensive. A million payments with their events take about ${ASSUMED.tableGbPerMillion} GB, ${usd('tableGb', ASSUMED.tableGbPerMillion).toFixed(2)} USD a month.

## Units

WRU and RRU are write and read request units. The projector is apart, as it works in batches.

| operation | calls | WRU | RRU |
|---|---|---|---|
${units.map(({ title, calls, wru, rru }) => `| ${title} | ${calls} | ${wru} | ${rru} |`).join('\n')}

A page of a list costs the same however many payments there are, and page 500 costs as much as page 1. An offset reads
keys as long as one index serves the list. It reads payments if a second filter or a currency has to be compared with
them. Statistics read the totals of their days, however many payments there are. \`npm run bench:lists\` prints the
figures.

Providers send a callback for each type of event that their webhook is registered for. Register only those that
[providers.md](providers.md) names: at Stripe a successful payment is then one callback, and three otherwise.

## Prices

List prices of us-east-1 before any free tier. The pages of AWS load their figures by script and could not be read, so
most are from other publications. Check them before you rely on a sum.

| | USD | source | seen |
|---|---|---|---|
${Object.values(PRICES).map(priceRow).join('\n')}
`;
}

/** So many a second fill the projector's batches with so many changes. */
const payments = (changes: number): number => Math.round((changes * ASSUMED.shards) / ASSUMED.changes);

/** The units of a payment on a stage with a quarter of that load. */
function inTens({ apart }: Figures['usage'], units: Figures['units']): string {
  const projector = units.find(({ title }) => title === 'the projector for a payment, in batches of 10 changes');
  if (!projector) throw new Error('The units of the projector are not counted: npm run bench:units -- --write');
  const [wru, rru] = [apart.wru + projector.wru, apart.rru + projector.rru].map((sum) => sum.toFixed(2));
  return `With ${payments(10)} a second it has\n  10 at once: ${wru} write and ${rru} read units a payment.`;
}

const priceRow = ({ of, usd: price, source, seen }: Price): string => `| ${of} | ${price} | ${source} | ${seen} |`;
