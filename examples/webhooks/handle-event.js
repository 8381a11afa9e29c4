// What your shop does with events, whichever server brings them.

/** In a real shop this is a table of your database, written together with what the event changes. */
const handled = new Set();

/** Throws if it fails: the event is then sent again later. */
export async function handleEvent(event) {
  // The same event may arrive twice.
  if (handled.has(event.id)) return;
  switch (event.type) {
    case 'payment.succeeded':
      console.log(`Ship order ${event.data.metadata.order}: ${event.data.amount} ${event.data.currency} are paid.`);
      break;
    case 'payment.failed':
      console.log(`Order ${event.data.metadata.order} is not paid: ${event.data.failure?.code}.`);
      break;
    // New types may come at any time: what you do not know needs no answer but a 2xx.
    default:
      console.log(`${event.type} needs nothing.`);
  }
  handled.add(event.id);
}
