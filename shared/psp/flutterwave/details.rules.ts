import type { ChargeOrder } from '#shared/ports/psp.port.ts';
import { cut, splitName } from '#shared/psp/kit/details.ts';

type Fields = Readonly<Record<string, string>>;

const MAX_NAME_LENGTH = 100;

const nameOf = ({ details }: ChargeOrder): string | undefined => cut(details?.billing?.name, MAX_NAME_LENGTH);

const phoneOf = ({ details }: ChargeOrder): string | undefined => {
  const phone = details?.billing?.phone?.replaceAll(/[ ().-]/g, '') ?? '';
  return /^\+?\d{8,15}$/.test(phone) ? phone : undefined;
};

/**
 * The customer's name and phone are all that Flutterwave takes: it has no fields for addresses, lines, a browser, a
 * statement, or 3-D Secure. Sources: Flutterwave/Node-v3, services/schema and documentation, read in 2026-11.
 */
export function pageCustomer(order: ChargeOrder): Fields {
  const [name, phonenumber] = [nameOf(order), phoneOf(order)];
  return { ...(name && { name }), ...(phonenumber && { phonenumber }) };
}

/** The phone of a direct charge is the one that pays, and is never that of an address. */
export function phoneCustomer(order: ChargeOrder): Fields {
  const fullname = nameOf(order);
  return fullname ? { fullname } : {};
}

export function tokenCustomer(order: ChargeOrder): Fields {
  const { first, last } = splitName(nameOf(order));
  return { ...(first && { first_name: first }), ...(last && { last_name: last }) };
}
