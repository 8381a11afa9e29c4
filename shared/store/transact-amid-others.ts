import { randomText } from '#shared/kernel/ids.ts';
import { TableError, type TablePort, type Transacted, type Write } from '#shared/ports/table.port.ts';

/** Two transactions on one item don't wait for each other: the second is refused, and asks again. */
const ROUNDS = 20;

/** For items that many write at the same moment. One token throughout: what was done, and only its answer lost, is not done again. */
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
