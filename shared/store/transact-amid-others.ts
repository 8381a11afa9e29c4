import { randomText } from '#shared/kernel/ids.ts';
import { TableError, type TablePort, type Transacted, type Write } from '#shared/ports/table.port.ts';

/** Concurrent transactions on one item don't queue: the second is refused, and repeated. */
const ROUNDS = 20;

/** For contended items. The token stays the same, so that a transaction whose answer was lost is not applied twice. */
export async function transactAmidOthers(table: TablePort, writes: readonly Write[]): Promise<Transacted> {
  const token = randomText(32);
  for (let round = 0; ; round += 1) {
    try {
      return await table.transact(writes, token);
    } catch (error) {
      if (!(error instanceof TableError) || error.kind !== 'conflict' || round === ROUNDS) throw error;
    }
  }
}
