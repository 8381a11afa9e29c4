/** Legal forms as they end names all over the world, without dots. A missing one is a word here. */
const LEGAL_FORMS = new Set(
  `ab ag aps as asa berhad bhd bv bvba co company corp corporation cv doo ee eg eirl eireli eood gbr gmbh inc incorporated kft kg kgaa kk lda limited limitada llc
  llp lp ltd ltda mbh nl nv oao oü oy oyj ooo pa plc private pt pte pty pvt ry sa sab saa sapi sarl sas sasu sc sca scs sdn se sia sl slu snc spa spj spk spzoo sp srl sro tbk tic uab ug
  ulc unlimited zoo zrt`.split(/\s+/),
);

/** Legal forms that stand in front of the name where they are used. */
const LEADING_FORMS = new Set(['pt', 'ooo', 'oao', 'uab', 'sia']);

/** Whether a merchant's registered name and the name of its account at a PSP are the same but for how they are written. */
export function matchNames(registered: string | null, account: string | null): 'unknown' | 'match' | 'mismatch' {
  if (!registered || !account) return 'unknown';
  const [a, b] = [essence(registered), essence(account)];
  if (a === '' || b === '') return 'unknown';
  return a === b ? 'match' : 'mismatch';
}

function essence(name: string): string {
  const words = wordsOf(name);
  const begin = words.length > 1 && LEADING_FORMS.has(words[0] ?? '') ? 1 : 0;
  let end = words.length;
  // A company may be called like a legal form: one word always stays.
  while (end > begin + 1 && LEGAL_FORMS.has(words[end - 1] ?? '')) end -= 1;
  return words.slice(begin, end).join('');
}

/** Upper case first, since only that makes ß and SS one. Dots and apostrophes are inside words (S.A., L'Oréal), the rest between. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[.'’]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
