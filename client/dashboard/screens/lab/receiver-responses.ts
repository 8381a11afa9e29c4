/** How a receiver responds, as the control server has it. */
export type Responses = {
  readonly status?: number;
  readonly delay_ms?: number;
  readonly sequence?: readonly number[];
};

export const sentenceOf = ({ status = 200, sequence, delay_ms = 0 }: Responses): string =>
  `${sequence ? sequence.join(', ') : status}${delay_ms > 0 ? ` after ${delay_ms} ms` : ''}`;
