import { amountText } from '#client/dashboard/i18n/currencies.ts';
import type { ListPaymentsQuery } from '#client/typescript/src/generated/payments.ts';
import type { Payfork, Payment } from '#client/typescript/src/index.ts';

/** A spreadsheet takes more, but a person does not read more; and every page is a request. */
export const MAX_ROWS = 10_000;
const PAGE = 200;
/** Where hits are rare, pages hold few of them or none. */
const MAX_PAGES = 200;

type Cell = string | number | null | undefined;

const COLUMNS: readonly (readonly [name: string, cell: (payment: Payment) => Cell])[] = [
  ['id', ({ id }) => id],
  ['created_at', ({ created_at }) => created_at],
  ['status', ({ status }) => status],
  ['amount', ({ amount, currency }) => amountText(amount, currency)],
  ['currency', ({ currency }) => currency],
  ['amount_refunded', ({ amount_refunded, currency }) => amountText(amount_refunded, currency)],
  ['method', ({ method }) => method],
  ['country', ({ country }) => country],
  ['provider', ({ provider }) => provider],
  ['connection_id', ({ connection_id }) => connection_id],
  ['psp_reference', ({ psp_reference }) => psp_reference],
  ['customer_id', ({ customer_id }) => customer_id],
  ['customer_email', ({ customer_email }) => customer_email],
  ['description', ({ description }) => description],
  ['failure_code', ({ failure }) => failure?.code],
  ['review_reason', ({ review }) => review?.reason],
  ['metadata', ({ metadata }) => (Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata))],
];

/**
 * Spreadsheets run what begins like a formula, and a customer chooses texts: an apostrophe makes it a text. Where the
 * decimal sign is a comma, they part cells at semicolons, and elsewhere at tabs or line ends: what follows one begins a cell
 * too.
 */
const CELL_START = /(^|[;\t\r\n]["'\s]*)(?=[=+\-@＝＋－＠])/g;

function cellText(cell: Cell): string {
  const text = String(cell ?? '').replace(CELL_START, "$1'");
  const safe = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

export const CSV_HEADER = lineOf(COLUMNS.map(([name]) => name));
export const csvLine = (payment: Payment): string => lineOf(COLUMNS.map(([, cell]) => cell(payment)));

export type PaymentsExport = {
  readonly csv: Blob;
  readonly count: number;
  /** There are more. All that match from this moment on are in the file. */
  readonly cutAt?: string;
};

type ExportOptions = { readonly signal: AbortSignal; readonly onProgress: (count: number) => void };

/** Reads page by page, as the list does; nothing but the file's text stays in memory. */
export async function exportPayments(
  api: Payfork,
  query: ListPaymentsQuery,
  { signal, onProgress }: ExportOptions,
): Promise<PaymentsExport> {
  // Excel takes a file without this mark for one of its own old character set.
  const parts = ['\uFEFF', CSV_HEADER];
  let [count, pages, oldest] = [0, 0, ''];
  for await (const page of api.payments.list({ ...query, limit: PAGE }, { signal }).pages()) {
    parts.push(page.items.map(csvLine).join(''));
    count += page.items.length;
    pages += 1;
    oldest = page.items.at(-1)?.created_at ?? oldest;
    onProgress(count);
    if (page.hasMore && (count >= MAX_ROWS || pages >= MAX_PAGES)) return { csv: fileOf(parts), count, cutAt: oldest };
  }
  return { csv: fileOf(parts), count };
}

const fileOf = (parts: readonly string[]): Blob => new Blob([...parts], { type: 'text/csv;charset=utf-8' });
