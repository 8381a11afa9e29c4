import type { Invoice } from '#shared/domain/billing/invoice.model.ts';
import { isId } from '#shared/kernel/ids.ts';
import type { InvoicesPort, InvoicesWhere } from '#shared/ports/invoices.port.ts';
import type { ListPage } from '#shared/ports/list-page.port.ts';
import type { Item, TablePort } from '#shared/ports/table.port.ts';
import { keys } from '#shared/store/keys.ts';
import { invoiceEntity } from '#shared/store/repos/invoice.entity.ts';
import { listInvoices } from '#shared/store/repos/invoice-list.ts';
import { changeVersioned } from '#shared/store/versioned.ts';

export class InvoiceRepo implements InvoicesPort {
  readonly #table: TablePort;
  constructor(table: TablePort) {
    this.#table = table;
  }

  async get(orgId: string, id: string): Promise<Invoice | undefined> {
    const invoice = await this.byId(id);
    return invoice?.org_id === orgId ? invoice : undefined;
  }

  async byId(id: string): Promise<Invoice | undefined> {
    const item = isId('invoice', id) ? await this.#table.get(keys.invoice(id), { consistent: true }) : undefined;
    return item && invoiceEntity.fromItem(item);
  }

  list(orgId: string, where: InvoicesWhere): Promise<ListPage<Invoice>> {
    return listInvoices(this.#table, orgId, where);
  }

  change(invoice: Invoice, decide: (invoice: Invoice) => Invoice | undefined): Promise<Invoice> {
    return changeVersioned(this.#table, invoiceEntity, invoice, decide, 'invoice');
  }

  read(item: Item): Invoice {
    return invoiceEntity.fromItem(item);
  }
}
