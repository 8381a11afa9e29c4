import { Component, type ComponentChildren } from 'preact';
import { classNames } from '#client/dashboard/ui/class-names.ts';
import { moveBetweenRows } from '#client/dashboard/ui/row-keys.ts';

export type Column<T> = {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: T) => ComponentChildren;
  /** The header is read out, but not seen: for buttons. */
  readonly isHeaderHidden?: boolean;
  /** Numbers and amounts stand at the end. */
  readonly align?: 'end';
  /** `phone`: left out there. */
  readonly hideOn?: 'phone';
  /** The column grows as far as it can, and its text is cut. */
  readonly isWide?: boolean;
};

type TableProps<T> = {
  /** What the rows are, for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string;
  /** The whole row leads there; the first column holds the link. It follows from the row alone, as does `rowTone`. */
  readonly href?: (row: T) => string | undefined;
  /** It stays a table on a phone: for a few narrow columns. */
  readonly isCompact?: boolean;
  /** Such as a row that needs attention. */
  readonly rowTone?: (row: T) => 'warn' | 'bad' | undefined;
};

/**
 * Rows become cards at phone width. Up, down, j and k move between the rows that are links. A row is drawn again if it
 * or `columns` is another one: a long list whose columns are a constant, or memoized, only draws what was added.
 */
export function Table<T>({ label, columns, rows, rowKey, href, rowTone, isCompact }: TableProps<T>) {
  return (
    <div class="table-scroll">
      <table class={classNames('table', isCompact && 'table-plain')} aria-label={label} onKeyDown={moveBetweenRows}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" class={classOf(column)}>
                {column.isHeaderHidden ? <span class="visually-hidden">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={rowKey(row)} {...{ row, columns, href, rowTone }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type RowProps<T> = Pick<TableProps<T>, 'columns' | 'href' | 'rowTone'> & { readonly row: T };

/** A class, as only these can say that they need not be drawn again. */
class Row<T> extends Component<RowProps<T>> {
  override shouldComponentUpdate({ row, columns }: RowProps<T>): boolean {
    return row !== this.props.row || columns !== this.props.columns;
  }

  override render({ row, columns, href, rowTone }: RowProps<T>) {
    const [target, tone] = [href?.(row), rowTone?.(row)];
    return (
      <tr class={classNames(target && 'row-link', tone && `row-${tone}`)}>
        {columns.map((column, n) => (
          <td key={column.key} class={classOf(column)} data-label={column.isHeaderHidden ? '' : column.header}>
            {n === 0 && target ? <a href={target}>{column.cell(row)}</a> : column.cell(row)}
          </td>
        ))}
      </tr>
    );
  }
}

/** The buttons of a row, side by side. */
export const RowActions = ({ children }: { readonly children: ComponentChildren }) => (
  <div class="row-actions">{children}</div>
);

const classOf = <T,>({ align, hideOn, isWide }: Column<T>): string | undefined =>
  classNames(align && 'align-end', hideOn && `hide-${hideOn}`, isWide && 'wide') || undefined;
